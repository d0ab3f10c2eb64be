import type { ReactNode } from 'react'

interface PanelHeaderProps {
  title: string
  note?: string
  /** On a phone: a second line for what it reads; each child stays on one line. */
  tall?: boolean
  /** Values at the cursor, or now. */
  children?: ReactNode
}

/** Title of a panel and what it reads. Its height never changes, so that nothing moves while data comes. */
export function PanelHeader({ title, note, tall = false, children }: PanelHeaderProps) {
  return (
    <div
      className={`pointer-events-none relative z-10 flex h-4 items-baseline gap-2 whitespace-nowrap text-sm max-sm:mb-1 max-sm:pr-8 sm:mb-2 sm:pr-11 ${tall ? 'max-sm:h-9 max-sm:flex-wrap max-sm:gap-y-0.5' : ''}`}
    >
      <h2 className="shrink-0 font-semibold text-base leading-4">{title}</h2>
      {note !== undefined && <span className="min-w-0 shrink-[999] truncate text-t2 max-sm:hidden">{note}</span>}
      <span
        className={`relative ml-auto flex min-w-0 items-baseline gap-3 overflow-hidden bg-bg pl-2 max-sm:gap-2 text-t2 leading-4 ${tall ? 'max-sm:contents' : ''}`}
      >
        {children}
      </span>
    </div>
  )
}

/** A named value, bold; a `steady` one keeps its width while it changes. */
export function Value({ name, children, steady = false }: { name: ReactNode; children: ReactNode; steady?: boolean }) {
  return (
    <span className="inline-flex items-baseline gap-1.5">
      {name}
      <b className={`text-t1 ${steady ? 'inline-block min-w-[46px] text-right' : ''}`}>{children}</b>
    </span>
  )
}
