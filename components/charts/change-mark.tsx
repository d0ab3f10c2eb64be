import type { ChangeKind } from './lane-geometry.ts'

/** The mark of one kind of change: its outline tells it apart without colour. Drawn around (0, 0). */
export function ChangeMark({ kind }: { kind: ChangeKind }) {
  switch (kind) {
    case 'failover':
      return <path d="M-5-4.2H5L0 4.4z" fill="var(--crit)" stroke="var(--bg)" />
    case 'handoff':
      return <path d="M-4.5-3.9h9L0 3.9z" fill="var(--bg)" stroke="var(--t1)" strokeWidth="1.3" />
    case 'revoke':
      return <path d="M0-5.1 5.1 0 0 5.1-5.1 0z" fill="var(--warn)" stroke="var(--bg)" />
    case 'kill':
      return (
        <path
          d="M-2.4-4.5h-2v9h2M2.4-4.5h2v9h-2M-1.6-1.6h3.2v3.2h-3.2z"
          fill="none"
          stroke="var(--crit)"
          strokeWidth="1.4"
        />
      )
    case 'resigned':
      return <circle fill="var(--bg)" r="3.4" stroke="var(--t1)" strokeWidth="1.3" />
    case 'unobserved':
      return <circle fill="var(--bg)" r="3.4" stroke="var(--t2)" strokeDasharray="1.4 1.6" strokeWidth="1.3" />
  }
}

/** The same in a line of text. */
export function InlineMark({ kind }: { kind: ChangeKind }) {
  return (
    <svg aria-hidden="true" className="shrink-0" height="12" viewBox="-6 -6 12 12" width="12">
      <ChangeMark kind={kind} />
    </svg>
  )
}
