import { useId } from 'react'

interface PickedProps {
  label: string
  labelHidden?: boolean
  /** What the empty value stands for. */
  all: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
  className?: string
}

/** One of several, or all: the browser's own list. */
export function Picked({ label, labelHidden = false, all, value, options, onChange, className = '' }: PickedProps) {
  const id = useId()
  return (
    <div className={`min-w-0 ${className}`}>
      <label className={labelHidden ? 'sr-only' : 'mb-1 block font-medium text-sm text-t2'} htmlFor={id}>
        {label}
      </label>
      <select
        className="h-9 w-full cursor-pointer rounded-md border border-ctl bg-s2 px-2.5 text-base max-sm:h-11 max-sm:text-lg"
        id={id}
        onChange={(event) => onChange(event.target.value)}
        value={value}
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
