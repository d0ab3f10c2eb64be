import { brief, shortDuration } from '../../lib/shared/format.ts'
import { type FailoverParts, PARTS, type Part } from '../charts/bars.ts'
import { PART_COLOURS } from '../charts/failover-chart.tsx'
import { PanelHeader, Value } from './detail-panel-header.tsx'
import { failoverAt, holderReadings, missedReading, probeReadings, type ReadingInput } from './detail-readout.ts'
import { SayWords } from './detail-say.tsx'
import type { Say } from './detail-sentence.ts'
import { errorWords } from './detail-term-words.ts'
import type { LaneSlot } from './lane-colours.ts'
import { SourceTag } from './source-tag.tsx'

interface TermReadoutProps {
  words: readonly Say[]
  /** What etcd itself was like; nothing where it was well. */
  etcd: readonly Say[]
  colourOf: (who: { identity: string; keyBase64: string }) => LaneSlot | undefined
}

export function TermReadout({ words, etcd, colourOf }: TermReadoutProps) {
  return (
    <PanelHeader tall title="Terms">
      <span className="truncate max-sm:ml-auto max-sm:max-w-[calc(100%-3.5rem)]">
        <SayWords colourOf={colourOf} words={words} />
      </span>
      {etcd.length > 0 && (
        <span className="truncate max-sm:basis-full max-sm:text-right">
          <SayWords colourOf={colourOf} words={etcd} />
        </span>
      )}
    </PanelHeader>
  )
}

const GROUP = 'relative flex items-baseline gap-3 text-t2 leading-4'

export function RttReadout({ reading }: { reading: ReadingInput }) {
  const holder = holderReadings(reading)
  const probes = probeReadings(reading)
  const missed = missedReading(reading)
  return (
    <PanelHeader note="log scale; above TTL/3 a renewal is late" tall title="Renewal RTT">
      {missed !== null && (
        <span className="text-crit max-sm:ml-auto">
          <b>{missed}</b> missed
        </span>
      )}
      <span className={`${GROUP} ${missed === null ? 'max-sm:ml-auto' : ''}`}>
        <SourceTag source="holder" />
        {holder === null ? (
          <span className="text-t3">no reports</span>
        ) : (
          holder.map(({ name, value }) => (
            <Value key={name} name={name} steady>
              {value}
            </Value>
          ))
        )}
      </span>
      <span className={`${GROUP} max-sm:basis-full max-sm:justify-end`}>
        <SourceTag source="probe" />
        {probes.length === 0 ? (
          <span className="text-t3">off or silent</span>
        ) : (
          probes.slice(0, 3).map(({ name, value }) => (
            <Value key={name} name={<span className="max-sm:sr-only">{name}</span>} steady>
              {value}
            </Value>
          ))
        )}
        {probes.length > 3 && <span>+{probes.length - 3}</span>}
      </span>
    </PanelHeader>
  )
}

export function MarginReadout({ value, live, bucketMs }: { value: string; live: boolean; bucketMs: number }) {
  return (
    <PanelHeader note={`% of TTL left at worst, per ${shortDuration(bucketMs)}`} title="Renewal margin">
      <Value name={live ? `newest ${shortDuration(bucketMs)}` : 'margin'}>{value}</Value>
    </PanelHeader>
  )
}

/** "7.9 s (−1 s)": so much less it may be. */
function partWords(found: FailoverParts, part: Part): string {
  const ms = found[`${part}Ms`]
  if (ms == null) return '–'
  const error = part === 'detect' ? errorWords(found) : ''
  return `${brief(ms)}${error}`
}

/** Legend, and figures where the cursor stands on a change of leader. */
export function FailoverReadout({ failovers, at }: { failovers: readonly FailoverParts[]; at: number | null }) {
  const found = failoverAt(failovers, at)
  return (
    <PanelHeader note="until the new leader acts" title="Failovers">
      {PARTS.map((part) => {
        const swatch = (
          <span className="inline-flex items-center gap-1.5" key={part}>
            <svg aria-hidden="true" className="shrink-0 self-center" height="10" width="10">
              <rect fill={PART_COLOURS[part]} height="10" width="10" />
            </svg>
            {/* On a phone the figures need the room. */}
            <span className={found === undefined ? '' : 'max-sm:sr-only'}>{part}</span>
          </span>
        )
        return found === undefined ? (
          swatch
        ) : (
          <Value key={part} name={swatch}>
            {partWords(found, part)}
          </Value>
        )
      })}
    </PanelHeader>
  )
}
