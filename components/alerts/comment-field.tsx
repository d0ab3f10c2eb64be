import { useId } from 'react'
import { LONGEST_COMMENT } from './silence-draft.ts'

interface CommentFieldProps {
  value: string
  onChange: (value: string) => void
  /** "optional, for everybody who looks" */
  hint: string
  /** What the dialog was opened for. */
  isFirst?: boolean
}

/** Why, in a few words. Nothing here is dangerous: ⌘ Enter or Ctrl Enter sends, as Enter does in the fields beside it. */
export function CommentField({ value, onChange, hint, isFirst = false }: CommentFieldProps) {
  const id = useId()
  return (
    <div>
      <label className="mb-1.5 flex flex-wrap items-baseline gap-x-2" htmlFor={id}>
        <span className="font-semibold">Comment</span> <span className="text-sm text-t2">{hint}</span>
      </label>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to write it
        autoFocus={isFirst}
        className="words block w-full rounded-md border border-ctl bg-bg px-3 py-2 text-base max-sm:text-lg"
        id={id}
        maxLength={LONGEST_COMMENT}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
        }}
        rows={2}
        value={value}
      />
    </div>
  )
}
