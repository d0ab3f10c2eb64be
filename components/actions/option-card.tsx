import type { ReactNode } from 'react'

interface OptionCardProps {
  group: string
  checked: boolean
  onChoose: () => void
  title: ReactNode
  tag?: string
  forced?: boolean
  /** Why it cannot be chosen: it stays in its place. */
  disabled?: boolean
  children?: ReactNode
}

/** One of several ways, with what it means. A radio button whose whole card can be pressed. */
export function OptionCard({ group, checked, onChoose, title, tag, forced, disabled, children }: OptionCardProps) {
  const look = checked
    ? 'border-bone ring-1 ring-bone ring-inset'
    : disabled
      ? 'border-dashed border-ctl'
      : 'border-ctl'
  return (
    <label
      className={`grid grid-cols-[16px_minmax(0,1fr)] gap-2.5 rounded-md border bg-bg px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-bone has-focus-visible:outline-offset-2 ${look} ${disabled ? '' : 'cursor-pointer'}`}
    >
      <input
        checked={checked}
        className="mt-px size-4 accent-bone outline-none"
        disabled={disabled}
        name={group}
        onChange={onChoose}
        type="radio"
      />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-semibold">
          {title}
          {tag && (
            <span
              className={`rounded border px-1.5 font-medium text-xs ${forced ? 'border-crit text-crit' : 'border-ctl text-t2'}`}
            >
              {tag}
            </span>
          )}
        </span>
        {children && <span className="words mt-0.5 block text-sm text-t2">{children}</span>}
      </span>
    </label>
  )
}

interface TickProps {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

/** Something that has to be read before it can be done. */
export function Tick({ checked, onChange, children }: TickProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-md border border-warn px-3 py-2">
      <input
        checked={checked}
        className="size-4 shrink-0 accent-bone"
        onChange={(event) => onChange(event.target.checked)}
        type="checkbox"
      />
      <span className="words min-w-0 text-sm">{children}</span>
    </label>
  )
}

/** A question with its ways. */
export function Options({ legend, hint, children }: { legend: string; hint?: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5">
        <span className="font-semibold">{legend}</span> {hint && <span className="text-sm text-t2">{hint}</span>}
      </legend>
      <div className="space-y-1.5">{children}</div>
    </fieldset>
  )
}
