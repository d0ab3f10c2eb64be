import type { ReactNode } from 'react'

interface OptionCardProps {
  /** Of the radio group. */
  group: string
  checked: boolean
  onChoose: () => void
  title: ReactNode
  /** A word in a frame beside the title: "forced", "cooperative". */
  tag?: string
  danger?: boolean
  disabled?: boolean
  children?: ReactNode
}

/** One of a few ways, with what it means beside it. A real radio: arrow keys move. */
export function OptionCard({ group, checked, onChoose, title, tag, danger, disabled, children }: OptionCardProps) {
  return (
    <label
      className={`flex cursor-pointer gap-3 rounded-md border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-bone has-focus-visible:outline-offset-2 ${disabled ? 'cursor-default border-ctl border-dashed text-t3' : checked ? 'border-bone shadow-[0_0_0_1px_var(--bone)]' : 'border-ctl'}`}
    >
      <input
        checked={checked}
        className="mt-[3px] size-4 shrink-0 accent-(--bone) outline-none"
        disabled={disabled}
        name={group}
        onChange={onChoose}
        type="radio"
      />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 font-semibold">
          <span className="break-words">{title}</span>
          {tag && (
            <span
              className={`rounded border px-1.5 font-normal text-sm ${danger ? 'border-crit text-crit' : 'border-ctl text-t2'}`}
            >
              {tag}
            </span>
          )}
        </span>
        {children && <span className="block text-sm text-t2 leading-[18px]">{children}</span>}
      </span>
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
