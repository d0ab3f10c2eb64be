import type { LeaseSample } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { RENEWAL_DUE } from './remaining.ts'
import { useRemaining } from './use-remaining.ts'

interface LeaseBarProps {
  ttl: LeaseSample | null
  /** The server's time; while `frozen`, the moment the view is of. */
  now: Instant | null
  frozen: boolean
  /** null: the key has no lease. */
  lease?: string | null
  denied?: boolean
  /** Bar only, the words are elsewhere. */
  bare?: boolean
}

/** Time left on a lease in words and as a bar. The tick marks when a renewal is due. */
export function LeaseBar({ ttl, now, frozen, lease = '', denied = false, bare = false }: LeaseBarProps) {
  const left = useRemaining({ lease: lease as never, ttl, ttlDenied: denied }, now)
  if (left.kind !== 'left') return <span className="whitespace-normal text-sm text-t3 leading-[15px]">{left.text}</span>
  return (
    <span className="block w-full">
      {!bare && (
        <span className="block whitespace-nowrap text-sm leading-[15px]">
          {left.text} <span className="text-t3">{left.of}</span>
        </span>
      )}
      <Bar atRisk={left.atRisk} fraction={left.leftMs / left.grantedMs} frozen={frozen} />
    </span>
  )
}

function Bar({ fraction, atRisk, frozen }: { fraction: number; atRisk: boolean; frozen: boolean }) {
  return (
    <span aria-hidden="true" className="relative block h-3 w-full">
      <span className="absolute inset-x-0 top-1 h-[5px] overflow-hidden rounded-xs border border-ctl bg-s3">
        <span
          className={`absolute inset-x-0 inset-y-[-1px] origin-left ${atRisk ? 'bg-crit' : 'bg-t2'}`}
          style={{ transform: `scaleX(${fraction.toFixed(3)})` }}
        />
        {frozen && <span className="hatch-frozen absolute inset-0" />}
      </span>
      <span className="absolute inset-y-0 w-1 -translate-x-1/2 bg-bg" style={{ left: `${RENEWAL_DUE * 100}%` }} />
      <span
        className="absolute inset-y-px w-[1.5px] -translate-x-1/2 bg-t1"
        style={{ left: `${RENEWAL_DUE * 100}%` }}
      />
    </span>
  )
}
