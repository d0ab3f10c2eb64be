import type { ReactNode } from 'react'

/** What went wrong, or what was done, right where it was asked for. Read out as it appears. */
export function Notice({ tone, children }: { tone: 'crit' | 'warn' | 'ok' | 'plain'; children: ReactNode }) {
  const look = {
    crit: 'edge-crit bg-tint-crit',
    warn: 'edge-warn bg-s1',
    ok: 'edge-chosen bg-s1',
    plain: 'edge-chosen bg-s1',
  }[tone]
  return (
    <div className={`edge relative rounded-sm py-2 pr-3 pl-4 ${look}`} role={tone === 'crit' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
