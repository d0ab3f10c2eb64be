import type { ReactNode } from 'react'
import type { Status } from '../../lib/election/status.ts'

// Every glyph has an outline of its own, so that a status is told apart without colour.
const GLYPHS: Record<Status, ReactNode> = {
  'dual-claim': (
    <>
      <path d="M5.6 2.4 11.2 8l-5.6 5.6L0 8z" fill="currentColor" stroke="none" />
      <path d="M8.4 4.6 10.6 2.4 15.4 8l-4.8 5.6-2.2-2.2" strokeWidth="1.6" />
    </>
  ),
  leaderless: (
    <>
      <circle cx="8" cy="8" r="5.8" strokeDasharray="2.6 2.1" strokeLinecap="butt" strokeWidth="1.8" />
      <path d="M4.2 11.8 11.8 4.2" strokeWidth="1.8" />
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.3" strokeDasharray="0.1 3.2" strokeWidth="1.8" />
      <path d="M6.2 6.3c0-1.1.8-1.8 1.8-1.8s1.8.7 1.8 1.7c0 1.3-1.8 1.4-1.8 2.6M8 11.2v.1" strokeWidth="1.6" />
    </>
  ),
  flapping: <path d="M1 10.8 4.2 5l3.2 5.8L10.6 5l3.4 5.8" strokeWidth="2" />,
  'at-risk': (
    <>
      <path d="M8 1.4 15.4 14.4H.6z" fill="currentColor" stroke="none" />
      <path d="M8 6v4M8 12.1v.2" stroke="var(--bg)" strokeWidth="1.7" />
    </>
  ),
  'no-standby': (
    <>
      <circle cx="5.2" cy="8" fill="currentColor" r="3.9" stroke="none" />
      <circle cx="12.2" cy="8" r="2.9" strokeDasharray="1.8 1.6" strokeLinecap="butt" strokeWidth="1.4" />
    </>
  ),
  stopped: (
    <>
      <path d="M4 1.8H1.6v12.4H4M12 1.8h2.4v12.4H12" strokeWidth="1.7" />
      <rect fill="currentColor" height="5.6" stroke="none" width="5.6" x="5.2" y="5.2" />
    </>
  ),
  'handing-off': <path d="M1.8 5.4h11M10 2.6l2.9 2.8L10 8.2M14.2 10.9h-11M6 8.1l-2.9 2.8L6 13.7" strokeWidth="1.6" />,
  unconfirmed: (
    <>
      <rect height="11.6" rx="1" strokeDasharray="2.2 2" strokeLinecap="butt" width="11.6" x="2.2" y="2.2" />
      <path d="M5.4 8h5.2" strokeWidth="1.6" />
    </>
  ),
  healthy: (
    <>
      <circle cx="8" cy="8" r="6.2" strokeWidth="1.4" />
      <path d="m5 8.2 2.1 2.1L11 6" strokeWidth="1.7" />
    </>
  ),
}

export function StatusGlyph({ status, size = 16 }: { status: Status; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="shrink-0"
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.5"
      viewBox="0 0 16 16"
      width={size}
    >
      {GLYPHS[status]}
    </svg>
  )
}
