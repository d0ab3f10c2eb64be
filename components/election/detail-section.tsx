import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  note?: ReactNode
  /** At the right end of the heading. */
  action?: ReactNode
  children: ReactNode
}

/** One block of the side column. Hairlines divide them. */
export function DetailSection({ title, note, action, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-line border-b py-3 last:border-b-0">
      <div className="mb-1.5 flex items-baseline gap-2">
        <h2 className="shrink-0 font-semibold text-base" id={id}>
          {title}
        </h2>
        {note !== undefined && <span className="min-w-0 text-sm text-t2">{note}</span>}
        {action !== undefined && <span className="ml-auto shrink-0 text-sm">{action}</span>}
      </div>
      {children}
    </section>
  )
}

/** A fact that is not there, and why. */
export function Absent({ children }: { children: ReactNode }) {
  return <p className="text-sm text-t2">{children}</p>
}
