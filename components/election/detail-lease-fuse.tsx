import { memo, useId } from 'react'
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
  const id = useId()
  const litPercent = Math.round(fraction * SEGMENTS) * PITCH
  return (
    <div className="relative">
      <svg aria-label={label} className="block w-full" height="34" role="img">
        <clipPath id={`${id}-lit`}>
          <rect height="34" width={`${litPercent}%`} />
        </clipPath>
        <clipPath id={`${id}-burnt`}>
          <rect height="34" width={`${100 - litPercent}%`} x={`${litPercent}%`} />
        </clipPath>
        <g clipPath={`url(#${id}-burnt)`} fill="var(--line2)">
          <Segments height={8} y={14} />
        </g>
        <g clipPath={`url(#${id}-lit)`} fill={colour} opacity={frozen ? 0.45 : 1}>
          <Segments height={18} y={9} />
        </g>
        <rect fill="var(--s1)" height="28" transform="translate(-2.5 0)" width="5" x={`${RENEWAL_DUE * 100}%`} y="3" />
        <rect fill="var(--t1)" height="30" transform="translate(-.8 0)" width="1.6" x={`${RENEWAL_DUE * 100}%`} y="2" />
      </svg>
      {frozen && <span className="hatch-gap absolute inset-x-0 top-[7px] bottom-[5px]" />}
    </div>
  )
}

/** Drawn once: burning moves the edge between the two rows, not the segments. */
const Segments = memo(function Segments({ y, height }: { y: number; height: number }) {
  return Array.from({ length: SEGMENTS }, (_, at) => (
    <rect
      height={height}
      // biome-ignore lint/suspicious/noArrayIndexKey: a segment is its place
      key={at}
      rx=".8"
      width={`${PITCH * 0.69}%`}
      x={`${at * PITCH + PITCH * 0.155}%`}
      y={y}
    />
  ))
})
