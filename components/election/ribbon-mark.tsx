import type { MarkType } from './ribbon-geometry.ts'

/** How a term ended: hollow triangle handoff, ring resigned or removed, solid triangle failover, diamond revoke, brackets kill switch. Centred on x = 0, 8 px high. */
export function RibbonMark({ type }: { type: MarkType }) {
  switch (type) {
    case 'handoff':
      return <path d="M-3.2.6h6.4L0 6.1z" fill="var(--bg)" stroke="var(--t1)" strokeWidth="1.3" />
    case 'resigned':
      return <circle cy="3.2" fill="var(--bg)" r="2.6" stroke="var(--t1)" strokeWidth="1.3" />
    case 'failover':
      return <path d="M-3.7.1h7.4L0 6.3z" fill="var(--crit)" stroke="var(--bg)" />
    case 'kill':
      return (
        <path
          d="M-1.9-.3h-1.8v7.4h1.8M1.9-.3h1.8v7.4H1.9M-1.3 2.1h2.6v2.6h-2.6z"
          fill="none"
          stroke="var(--crit)"
          strokeWidth="1.3"
        />
      )
    case 'revoke':
      return <path d="M0-.4 3.8 3.4 0 7.2-3.8 3.4z" fill="var(--warn)" stroke="var(--bg)" />
  }
}
