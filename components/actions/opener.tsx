import { type ReactNode, type Ref, useId } from 'react'

interface OpenerProps {
  /** Why it may not be used now, in words; null when it may. */
  refusal: string | null
  onOpen: () => void
  children: ReactNode
  look?: 'plain' | 'primary' | 'danger'
  className?: string
  button?: Ref<HTMLButtonElement>
}

const LOOKS = {
  plain: 'border-ctl hover:bg-s3',
  primary: 'border-bone bg-bone text-onbone hover:opacity-90',
  danger: 'border-crit text-crit hover:bg-tint-crit',
}

/** Opens a dialog. Where it may not be used it stays reachable, by the keyboard too: who cannot press it must hear why. */
export function Opener({ refusal, onOpen, children, look = 'plain', className = '', button }: OpenerProps) {
  const id = useId()
  const isOff = refusal !== null
  const shown = isOff ? 'cursor-default border-ctl border-dashed text-t3' : LOOKS[look]
  return (
    <span className="group relative flex max-sm:grow">
      <button
        aria-describedby={isOff ? id : undefined}
        aria-disabled={isOff}
        className={`inline-flex h-9 items-center justify-center gap-2 whitespace-nowrap rounded-md border px-3.5 font-semibold max-sm:h-11 max-sm:grow ${shown} ${className}`}
        onClick={isOff ? undefined : onOpen}
        ref={button}
        type="button"
      >
        {children}
      </button>
      {isOff && (
        <span
          className="words pointer-events-none absolute right-0 z-20 hidden w-72 whitespace-normal rounded-md border border-line2 bg-s2 px-3 py-2 text-sm text-t1 shadow-dialog group-focus-within:block group-hover:block max-sm:bottom-full max-sm:left-0 max-sm:mb-2 max-sm:w-auto sm:top-full sm:mt-2"
          id={id}
          role="tooltip"
        >
          {refusal}
        </span>
      )}
    </span>
  )
}
