import { RENEWAL_DUE } from './remaining.ts'

const SEGMENTS = 60
const PITCH = 100 / SEGMENTS

interface LeaseFuseProps {
  /** Share of the TTL that is left, 0–1. */
  fraction: number
  colour: string
  frozen: boolean
  label: string
}

/** The lease as a fuse of sixty segments that burns from the right; the tick marks when a renewal is due. */
export function LeaseFuse({ fraction, colour, frozen, label }: LeaseFuseProps) {
  const lit = Math.round(fraction * SEGMENTS)
  return (
    <div className="relative">
      <svg aria-label={label} className="block w-full" height="34" role="img">
        {Array.from({ length: SEGMENTS }, (_, at) => (
          <rect
            fill={at < lit ? colour : 'var(--line2)'}
            height={at < lit ? 18 : 8}
            // biome-ignore lint/suspicious/noArrayIndexKey: a segment is its place
            key={at}
            opacity={frozen && at < lit ? 0.45 : 1}
            rx=".8"
            width={`${PITCH * 0.69}%`}
            x={`${at * PITCH + PITCH * 0.155}%`}
            y={at < lit ? 9 : 14}
          />
        ))}
        <rect fill="var(--s1)" height="28" width="5" x={`${RENEWAL_DUE * 100}%`} y="3" transform="translate(-2.5 0)" />
        <rect fill="var(--t1)" height="30" width="1.6" x={`${RENEWAL_DUE * 100}%`} y="2" transform="translate(-.8 0)" />
      </svg>
      {frozen && <span className="hatch-gap absolute inset-x-0 top-[7px] bottom-[5px]" />}
    </div>
  )
}
