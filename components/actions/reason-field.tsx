import { useId } from 'react'

interface ReasonFieldProps {
  value: string
  onChange: (value: string) => void
  /** "required, kept in the audit log" */
  hint: string
}

/** Enter makes a new line here: nothing is sent from a text field. */
export function ReasonField({ value, onChange, hint }: ReasonFieldProps) {
  const id = useId()
  return (
    <div>
      <label className="mb-1.5 flex flex-wrap items-baseline gap-x-2" htmlFor={id}>
        <span className="font-semibold">Reason</span> <span className="text-sm text-t2">{hint}</span>
      </label>
      <textarea
        className="words block w-full rounded-md border border-ctl bg-bg px-3 py-2 text-base max-sm:text-lg"
        id={id}
        maxLength={500}
        onChange={(event) => onChange(event.target.value)}
        rows={2}
        value={value}
      />
    </div>
  )
}
