'use client'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { MouseEvent, ReactNode } from 'react'

interface GuardedDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  icon: ReactNode
  title: string
  /** The least role for it. */
  leastRole?: string
  /** A stop wears the hazard edge: no two dangerous dialogs look alike. */
  danger?: boolean
  /** What has gone wrong meanwhile: never scrolled out of sight. */
  alert?: ReactNode
  /** What is chosen and typed. */
  children: ReactNode
  /** What will happen, and what is certain before it. */
  aside?: ReactNode
  /** What is sent when, in a few words. */
  note: string
  buttons: ReactNode
  /** The main button instead of "Cancel", where there is nothing to cancel any more. */
  leave?: string | undefined
}

/** The second half of a double click on the effect is for nothing that has come to its place. */
function notTwice(event: MouseEvent) {
  if (event.detail > 1) event.preventDefault()
}

/** One dangerous thing: what was seen and is asked at the left, what to expect at the right, the effect on the button. */
export function GuardedDialog({
  open,
  onOpenChange,
  icon,
  title,
  leastRole,
  danger = false,
  alert,
  children,
  aside,
  note,
  buttons,
  leave,
}: GuardedDialogProps) {
  return (
    <Dialog.Root onOpenChange={onOpenChange} open={open}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-50 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          // What was chosen and typed is not lost to a click beside it.
          onPointerDownOutside={(event) => event.preventDefault()}
          // Not on a button: Enter right after the key that opened it does nothing.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            ;(event.currentTarget as HTMLElement).focus()
          }}
          className={`fade-in -translate-x-1/2 fixed top-[6vh] left-1/2 z-50 flex max-h-[90vh] w-[calc(100vw-32px)] max-w-[1040px] flex-col overflow-hidden rounded-lg border bg-s2 shadow-dialog outline-none max-sm:inset-0 max-sm:max-h-none max-sm:w-full max-sm:translate-x-0 max-sm:rounded-none ${danger ? 'border-crit' : 'border-line2'}`}
        >
          {danger && <span aria-hidden="true" className="hazard h-2 shrink-0" />}
          <header className="flex shrink-0 items-center gap-3 border-line border-b px-6 py-4 max-sm:px-4">
            {icon}
            <Dialog.Title className="words min-w-0 break-words font-display font-semibold text-xl">
              {title}
            </Dialog.Title>
            {leastRole && (
              <span className="rounded border border-ctl px-1.5 text-sm text-t2 max-sm:hidden">{leastRole}</span>
            )}
            <Dialog.Close
              aria-label="Close"
              onClick={notTwice}
              className="-mr-2 ml-auto grid size-9 shrink-0 place-items-center rounded-md text-t2 hover:bg-s3 hover:text-t1 max-sm:size-11"
            >
              <X aria-hidden="true" size={18} />
            </Dialog.Close>
          </header>
          {alert && <div className="shrink-0 border-line border-b px-6 py-3 max-sm:px-4">{alert}</div>}
          <div className={`grid min-h-0 grow overflow-y-auto ${aside ? 'lg:grid-cols-[minmax(0,1fr)_400px]' : ''}`}>
            <div className="min-w-0 space-y-5 px-6 py-5 max-sm:px-4">{children}</div>
            {aside && (
              <div className="min-w-0 space-y-5 border-line bg-s1 px-6 py-5 max-lg:border-t max-sm:px-4 lg:border-l">
                {aside}
              </div>
            )}
          </div>
          <footer className="flex shrink-0 flex-wrap items-center justify-end gap-3 border-line border-t px-6 py-3.5 max-sm:px-4">
            <p className="mr-auto text-sm text-t2">{note}</p>
            {leave === undefined && <Leave>Cancel</Leave>}
            {buttons}
            {leave !== undefined && <Leave isMain>{leave}</Leave>}
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Leave({ children, isMain = false }: { children: string; isMain?: boolean }) {
  const look = isMain ? 'border-bone bg-bone text-onbone hover:opacity-90' : 'border-ctl hover:bg-s3'
  return (
    <Dialog.Close
      onClick={notTwice}
      className={`inline-flex h-11 items-center rounded-md border px-4 font-semibold max-sm:grow max-sm:justify-center ${look}`}
    >
      {children}
    </Dialog.Close>
  )
}
