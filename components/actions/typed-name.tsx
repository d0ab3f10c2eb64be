import { Check } from 'lucide-react'
import { type ClipboardEvent, useId } from 'react'

interface TypedNameProps {
  /** As it must be typed: backslashes and all. */
  name: string
  value: string
  onChange: (value: string) => void
  label: string
}

/** Typed, not pasted or completed: whoever types the name has read it. */
export function TypedName({ name, value, onChange, label }: TypedNameProps) {
  const id = useId()
  const matches = value === name
  const refuse = (event: ClipboardEvent) => event.preventDefault()
  return (
    <div>
      <label className="mb-1.5 flex flex-wrap items-baseline gap-x-2" htmlFor={id}>
        <span className="font-semibold">{label}</span>{' '}
        <span className="text-sm text-t2">
          <span className="bytes break-all text-t1">{name}</span>, to show you mean this one
        </span>
      </label>
      <div className="relative">
        <input
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          className={`bytes block h-11 w-full rounded-md border bg-bg pr-24 pl-3 text-base max-sm:text-lg ${matches ? 'border-ok' : 'border-ctl'}`}
          id={id}
          onChange={(event) => onChange(event.target.value)}
          onDrop={(event) => event.preventDefault()}
          onPaste={refuse}
          spellCheck={false}
          value={value}
        />
        {matches && (
          <span className="absolute inset-y-0 right-3 flex items-center gap-1.5 text-ok text-sm">
            <Check aria-hidden="true" size={16} /> matches
          </span>
        )}
      </div>
    </div>
  )
}
