import { type ComponentProps, useId } from 'react'

const BOX =
  'h-9 w-full rounded-md border border-ctl bg-s2 px-2.5 text-base disabled:border-dashed disabled:text-t3 max-sm:h-11 max-sm:text-lg'

interface FieldProps extends ComponentProps<'input'> {
  label: string
  hint?: string
}

/** A labelled text field. On a phone 16 px, so that the browser does not zoom in. */
export function Field({ label, hint, className = '', ...rest }: FieldProps) {
  const id = useId()
  return (
    <div className={className}>
      <label className="mb-1 block font-medium text-sm text-t2" htmlFor={id}>
        {label}
      </label>
      <input aria-describedby={hint ? `${id}-hint` : undefined} className={`words ${BOX}`} id={id} {...rest} />
      {hint && (
        <p className="mt-1 text-sm text-t3" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps extends Omit<ComponentProps<'select'>, 'children'> {
  label: string
  labelHidden?: boolean
  options: readonly string[]
}

/** The browser's own list. */
export function Choice({ label, labelHidden, options, className = '', ...rest }: ChoiceProps) {
  const id = useId()
  return (
    <div className={className}>
      <label className={labelHidden ? 'sr-only' : 'mb-1 block font-medium text-sm text-t2'} htmlFor={id}>
        {label}
      </label>
      <select className={`${BOX} cursor-pointer disabled:cursor-default`} id={id} {...rest}>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </div>
  )
}
