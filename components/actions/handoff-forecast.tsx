import type { HandoffMethod, HandoffPreflight } from '../../lib/election/actions.ts'
import { seconds } from '../../lib/shared/format.ts'
import { laneColour } from '../election/lane-colours.ts'
import { type ColourOf, Label } from './dialog-parts.tsx'
import { nameOf } from './handoff-words.ts'

interface ForecastProps {
  seen: HandoffPreflight
  method: HandoffMethod | null
  next: { identity: string; keyBase64: string; place: number } | null
  colourOf: ColourOf
}

/** What each way looks like, drawn: nobody can know how long a leader drains. */
export function HandoffForecast({ seen, method, next, colourOf }: ForecastProps) {
  const offered = (one: HandoffMethod) => seen.methods.some((each) => each.method === one && each.offered)
  const shown: HandoffMethod[] =
    method === 'remove-key' ? ['remove-key'] : (['ask', 'revoke-session'] as const).filter(offered)
  if (shown.length === 0) return null
  return (
    <section aria-label="What to expect">
      <Label>What to expect</Label>
      {shown.map((one) => (
        <figure className="mb-2 last:mb-0" key={one}>
          <figcaption className="flex items-center gap-2 text-sm">
            <span className={one === method ? '' : 'text-t2'}>{TITLES[one]}</span>
            {one === method && <span className="rounded border border-ctl px-1.5 text-t2 text-xs">selected</span>}
          </figcaption>
          <Lanes colourOf={colourOf} method={one} next={next} seen={seen} />
        </figure>
      ))}
    </section>
  )
}

const TITLES = { ask: 'Cooperative', 'revoke-session': 'If forced', 'remove-key': 'If only the key goes' } as const

const LEFT = 84
const PRESS = 126
const RIGHT = 344
const WIDTH = 348
const short = (name: string) => (name.length > 12 ? `${name.slice(0, 11)}…` : name)

interface LanesProps extends Omit<ForecastProps, 'method'> {
  method: HandoffMethod
}

function Lanes({ seen, method, next, colourOf }: LanesProps) {
  const from = laneColour(colourOf(seen.leader))
  const to = next === null ? 'var(--t3)' : laneColour(colourOf(next))
  const who = nameOf(seen.leader)
  // A queue without a next one stays empty; a single key goes to whoever creates it.
  const isEmpty = (next === null || next.place > 2) && seen.ref.startsWith('q~')
  const nextName = next === null ? (isEmpty ? 'nobody yet' : 'next one') : nameOf(next)
  const handover = method === 'ask' ? PRESS + 74 : PRESS + 5
  const end = method === 'remove-key' ? RIGHT : PRESS + 150
  return (
    <svg
      aria-label={spoken(method, who, nextName, seen.overlapMs)}
      className="w-full"
      role="img"
      viewBox={`0 0 ${WIDTH} 84`}
    >
      <path d={`M${PRESS} 16V68`} stroke="var(--line2)" />
      <text fill="var(--t2)" fontSize="11" textAnchor="middle" x={PRESS} y="81">
        press
      </text>
      <path d={`M${LEFT} 29H${RIGHT}M${LEFT} 53H${RIGHT}`} stroke="var(--line2)" />
      <LaneName name={who} y={33} />
      <LaneName name={nextName} y={57} />
      <rect fill={from} height="14" rx="2" width={PRESS - LEFT} x={LEFT} y="22" />
      {method === 'ask' ? (
        <>
          <rect fill={from} height="14" opacity="0.5" width={handover - PRESS - 4} x={PRESS} y="22" />
          <text fill="var(--t1)" fontSize="11" textAnchor="middle" x={(PRESS + handover) / 2} y="33">
            drains
          </text>
          <path d={`M${handover - 5} 6h9l-4.5 7.6z`} fill="var(--bg)" stroke="var(--t1)" strokeWidth="1.3" />
          <text fill="var(--t2)" fontSize="11" x={handover + 10} y="14">
            no overlap expected
          </text>
        </>
      ) : (
        <Overlap end={end} label={limitWords(method, seen.overlapMs)} />
      )}
      {!isEmpty && (
        <>
          <rect fill={to} height="14" rx="2" width={RIGHT - handover} x={handover} y="46" />
          <text
            fill={next === null ? 'var(--bg)' : 'var(--ink-on-lead)'}
            fontSize="11"
            fontWeight="600"
            x={handover + 8}
            y="57"
          >
            leads next
          </text>
        </>
      )}
    </svg>
  )
}

function LaneName({ name, y }: { name: string; y: number }) {
  return (
    <text fill="var(--t1)" fontSize="12" x="0" y={y}>
      {short(name)}
    </text>
  )
}

function Overlap({ end, label }: { end: number; label: string }) {
  return (
    <>
      <rect fill="url(#p-after)" height="14" width={end - PRESS} x={PRESS} y="22" />
      <rect fill="none" height="13" stroke="var(--warn)" width={end - PRESS - 1} x={PRESS + 0.5} y="22.5" />
      <rect fill="var(--bg)" height="12" width="96" x={PRESS + 8} y="23" />
      <text fill="var(--warn)" fontSize="11" x={PRESS + 12} y="33">
        may keep acting
      </text>
      <path d={`M${PRESS} 3l4.6 4.6-4.6 4.6-4.6-4.6z`} fill="var(--warn)" stroke="var(--bg)" />
      <text fill="var(--t2)" fontSize="11" x={PRESS + 10} y="14">
        overlap
      </text>
      <text fill="var(--warn)" fontSize="11" textAnchor="end" x={Math.min(end + 20, RIGHT)} y="14">
        {label}
      </text>
    </>
  )
}

function limitWords(method: HandoffMethod, overlapMs: number | null): string {
  if (method === 'remove-key') return 'no limit'
  return overlapMs === null ? 'not known' : seconds(overlapMs)
}

function spoken(method: HandoffMethod, who: string, next: string, overlapMs: number | null): string {
  if (next === 'nobody yet') return `The seat stays empty after ${who}.`
  if (method === 'ask') return `${who} drains, then ${next} leads. No overlap is expected.`
  const limit = method === 'remove-key' ? 'without a limit' : `for ${limitWords(method, overlapMs)}`
  return `${next} leads at once. ${who} may keep acting ${limit}.`
}
