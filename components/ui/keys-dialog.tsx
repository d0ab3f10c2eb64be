'use client'
import { Dialog } from './dialog.tsx'
import { Kbd } from './kbd.tsx'
import { KEY_GROUPS } from './keys.ts'

export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog onOpenChange={onOpenChange} open={open} title="All keys">
      <section
        aria-label="Keys"
        className="grid gap-x-10 gap-y-5 overflow-y-auto px-6 py-5 sm:grid-cols-2"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
      >
        {KEY_GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="mb-2 font-semibold text-base">{title}</h3>
            <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2">
              {keys.map((help) => (
                <div className="contents" key={help.does}>
                  <dt className="flex gap-1">
                    {help.keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dt>
                  <dd className="text-sm text-t2">{help.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  )
}
