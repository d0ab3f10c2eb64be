import { type LaneSlot, laneColour } from './lane-colours.ts'

/** The square in a leader's colour; notched where the colour is used twice in one election. */
export function LaneSquare({ slot, size = 9 }: { slot: LaneSlot | undefined; size?: number }) {
  return (
    <svg aria-hidden="true" className="shrink-0" height={size} viewBox="0 0 9 9" width={size}>
      <rect fill={laneColour(slot)} height="9" rx="2" width="9" />
      {slot?.notched && <path d="M0 9 9 0" stroke="var(--bg)" strokeWidth="2" />}
    </svg>
  )
}

/** Colour square and name of a leader or candidate. */
export function LeaderTag({ slot, identity }: { slot: LaneSlot | undefined; identity: string }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1.5">
      <LaneSquare slot={slot} />
      {identity === '' ? (
        <span className="text-t2">(empty)</span>
      ) : (
        <span className="words truncate" title={identity}>
          {identity}
        </span>
      )}
    </span>
  )
}
