import type { ReactNode } from 'react'

/** One key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block min-w-4 rounded-[3px] border border-line2 bg-s2 px-[5px] text-center font-medium font-sans text-t2 text-xs leading-4">
      {children}
    </kbd>
  )
}
