import type { Operation, Phase } from '../../lib/election/actions.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { seconds } from '../../lib/shared/format.ts'
import { laneColour } from '../election/lane-colours.ts'
import type { ColourOf } from './dialog-parts.tsx'
import { nameOf } from './handoff-words.ts'

const WIDTH = 972
const LEFT = 130
const RIGHT = 956
const LEAD_IN = 60
const LEAST_MS = 2_000
const MOST_AFTER_MS = 10_000
const FROM_Y = 30
const TO_Y = 62
const TICK_STEPS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000]

interface TimelineProps {
  operation: Operation
  now: Instant
  colourOf: ColourOf
}

/** Both leaders from the request on: who drained, who leads, and for how long the former one may have acted. */
export function HandoffTimeline({ operation, now, colourOf }: TimelineProps) {
  const { handoff } = operation
  const frame = frameOf(operation, now)
  if (handoff === undefined || frame === null) return null
  const { x, nowMs, limitMs, requestedMs, endMs, isMoving } = frame
  const next = handoff.successor ?? handoff.to
  const to = next === null ? 'var(--t3)' : laneColour(colourOf(next))
  const from = laneColour(colourOf(handoff.from))
  return (
    <svg aria-label={spoken(operation)} className="w-full max-sm:hidden" role="img" viewBox={`0 0 ${WIDTH} 112`}>
      <Ticks endMs={endMs} requestedMs={requestedMs} x={x} />
      <path d={`M${LEFT} ${FROM_Y + 9}H${RIGHT}M${LEFT} ${TO_Y + 9}H${RIGHT}`} stroke="var(--line2)" />
      <LaneName colour={from} name={nameOf(handoff.from)} y={FROM_Y} />
      <LaneName colour={to} name={next === null ? 'whoever is next' : nameOf(next)} y={TO_Y} />
      {isMoving && <Now label={`now +${((nowMs - requestedMs) / 1_000).toFixed(1)} s`} x={x(nowMs)} />}
      <FormerLeader colour={from} frame={frame} />
      <Successor colour={to} frame={frame} token={handoff.successor?.token ?? null} />
      {limitMs !== null && <Limit label={`${seconds(handoff.overlapMs ?? 0)} limit`} x={x(limitMs)} />}
    </svg>
  )
}

interface Frame extends Omit<ReturnType<typeof timesOf>, 'requestedMs'> {
  requestedMs: number
  /** When a Go client has noticed that its lease was revoked. */
  limitMs: number | null
  isMoving: boolean
  nowMs: number
  endMs: number
  x: (ms: number) => number
}

/** null: nothing was sent yet. */
function frameOf({ handoff, phases, outcome }: Operation, now: Instant): Frame | null {
  const times = timesOf(phases)
  const { requestedMs, releasedMs, electedMs, acknowledgedMs } = times
  if (handoff === undefined || requestedMs === null) return null
  const { method, overlapMs } = handoff
  const limitMs =
    releasedMs !== null && method === 'revoke-session' && overlapMs !== null ? releasedMs + overlapMs : null
  const lastMs = Math.max(
    ...[releasedMs, electedMs, acknowledgedMs, limitMs].map((ms) => ms ?? 0),
    requestedMs + LEAST_MS,
  )
  const isMoving = outcome === null || (releasedMs !== null && acknowledgedMs === null)
  const nowMs = isMoving ? Math.max(requestedMs, Math.min(msOf(now), lastMs + MOST_AFTER_MS)) : lastMs
  const endMs = Math.max(lastMs, nowMs) + 300
  const scale = (RIGHT - LEFT - LEAD_IN) / (endMs - requestedMs)
  const x = (ms: number) => LEFT + LEAD_IN + (ms - requestedMs) * scale
  return { ...times, requestedMs, limitMs, isMoving, nowMs, endMs, x }
}

function FormerLeader({ frame, colour }: { frame: Frame; colour: string }) {
  const { x, nowMs, drainingMs, releasedMs, acknowledgedMs, limitMs } = frame
  const heldTo = x(releasedMs ?? nowMs)
  const drainsFrom = drainingMs === null ? heldTo : x(drainingMs)
  return (
    <>
      <rect fill={colour} height="18" rx="2" width={drainsFrom - LEFT} x={LEFT} y={FROM_Y} />
      <rect fill={colour} height="18" opacity="0.5" width={heldTo - drainsFrom} x={drainsFrom} y={FROM_Y} />
      {heldTo - drainsFrom > 70 && (
        <text fill="var(--t1)" fontSize="11" textAnchor="middle" x={(drainsFrom + heldTo) / 2} y={FROM_Y + 13}>
          draining
        </text>
      )}
      {releasedMs !== null && (
        <Doubt
          endX={x(acknowledgedMs ?? Math.max(nowMs, limitMs ?? 0))}
          isOver={acknowledgedMs !== null}
          startX={heldTo}
        />
      )}
    </>
  )
}

function Successor({ frame, colour, token }: { frame: Frame; colour: string; token: string | null }) {
  const { x, nowMs, electedMs } = frame
  if (electedMs === null) return null
  const width = Math.max(2, x(Math.max(nowMs, electedMs)) - x(electedMs))
  return (
    <>
      <rect fill={colour} height="18" rx="2" width={width} x={x(electedMs)} y={TO_Y} />
      {token !== null && width > 150 && (
        <text fill="var(--ink-on-lead)" fontSize="11" fontWeight="600" x={x(electedMs) + 8} y={TO_Y + 13}>
          token {groupDigits(token)}
        </text>
      )}
    </>
  )
}

function timesOf(phases: readonly Phase[]) {
  const ms = (name: Phase['name']) => {
    const at = phases.find((phase) => phase.name === name)?.at
    return at ? msOf(at) : null
  }
  return {
    requestedMs: ms('requested'),
    drainingMs: ms('draining'),
    releasedMs: ms('released'),
    electedMs: ms('elected'),
    acknowledgedMs: ms('acknowledged'),
  }
}

function Ticks({ x, requestedMs, endMs }: { x: (ms: number) => number; requestedMs: number; endMs: number }) {
  const spanMs = endMs - requestedMs
  const stepMs = TICK_STEPS_MS.find((step) => spanMs / step <= 8) ?? 60_000
  const count = Math.floor(spanMs / stepMs) + 1
  return Array.from({ length: count }, (_, at) => requestedMs + at * stepMs).map((ms, at) => (
    <g key={ms}>
      <path d={`M${x(ms)} 22V88`} stroke="var(--line)" />
      <text fill="var(--t2)" fontSize="11" textAnchor="middle" x={x(ms)} y="104">
        {at === 0 ? new Date(ms).toISOString().slice(11, 23) : `+${(ms - requestedMs) / 1_000} s`}
      </text>
    </g>
  ))
}

function LaneName({ name, colour, y }: { name: string; colour: string; y: number }) {
  return (
    <>
      <rect fill={colour} height="9" rx="2" width="9" x="0" y={y + 5} />
      <text fill="var(--t1)" fontSize="12" x="15" y={y + 13}>
        {name.length > 16 ? `${name.slice(0, 15)}…` : name}
      </text>
    </>
  )
}

/** From the seat's end until the former leader is known to have stopped. */
function Doubt({ startX, endX, isOver }: { startX: number; endX: number; isOver: boolean }) {
  const width = Math.max(0, endX - startX)
  if (width < 1) return null
  return (
    <>
      <rect fill="url(#p-after)" height="18" width={width} x={startX} y={FROM_Y} />
      <rect
        fill="none"
        height="17"
        stroke="var(--warn)"
        strokeDasharray="4 3"
        width={width}
        x={startX + 0.5}
        y={FROM_Y + 0.5}
      />
      {width > 230 && (
        <>
          <rect fill="var(--bg)" height="14" width="200" x={startX + 10} y={FROM_Y + 2} />
          <text fill="var(--warn)" fontSize="11" x={startX + 16} y={FROM_Y + 13}>
            {isOver ? 'not confirmed stopped until here' : 'not confirmed stopped, may act'}
          </text>
        </>
      )}
    </>
  )
}

function Now({ x, label }: { x: number; label: string }) {
  return (
    <>
      <path d={`M${x} 16V88`} stroke="var(--bone)" />
      <rect fill="var(--bone)" height="18" rx="3" width="76" x={Math.min(x, WIDTH - 38) - 38} y="0" />
      <text fill="var(--onbone)" fontSize="11" fontWeight="600" textAnchor="middle" x={Math.min(x, WIDTH - 38)} y="13">
        {label}
      </text>
    </>
  )
}

function Limit({ x, label }: { x: number; label: string }) {
  return (
    <>
      <path d={`M${x} 16V88`} stroke="var(--warn)" strokeDasharray="4 3" />
      <text fill="var(--warn)" fontSize="11" textAnchor="end" x={x - 5} y="20">
        {label}
      </text>
    </>
  )
}

function spoken({ phases }: Operation): string {
  const reached = phases.filter(({ known }) => known === 'etcd' || known === 'reported')
  return `Timeline: ${reached.map(({ evidence }) => evidence).join(' ')}`
}
