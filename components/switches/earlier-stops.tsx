'use client'
import type { Stop } from '../../lib/election/stops.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { day, duration, hourAndMinute } from '../../lib/shared/format.ts'
import { scopeWords, stoppedWords } from '../election/switch-words.ts'
import { useStops } from '../live/switches.ts'
import { usePastAt } from '../live/use-live.ts'

function endWords({ ended, endedBy }: Stop): string {
  if (ended === 'vanished') return 'record vanished: nobody released it'
  return endedBy === null ? 'released' : `released by ${endedBy}`
}

/** Stops of the last 30 days that are over. */
export function EarlierStops({ cluster, version }: { cluster: string; version: string }) {
  const { data, error } = useStops(cluster, version)
  const pastAt = usePastAt()
  const over = (data?.stops ?? []).filter(({ to }) => to !== null && (pastAt === null || to <= pastAt))
  return (
    <section aria-label="Earlier stops" className="min-w-0 px-5 py-4 max-sm:px-4">
      <h2 className="font-semibold">
        Earlier stops <span className="font-normal text-sm text-t2">last 30 days</span>
      </h2>
      {error !== null && <p className="mt-2 text-warn">History cannot be read: {error.message}</p>}
      {data !== undefined && over.length === 0 && <p className="mt-2 text-t2">None.</p>}
      <ul>
        {over.map((stop) => (
          <li
            className="grid grid-cols-[minmax(0,1.4fr)_110px_minmax(0,2fr)_90px_minmax(0,1fr)] gap-3 border-line border-b py-2 text-sm max-md:grid-cols-1 max-md:gap-0.5"
            key={`${stop.scopeBase64} ${stop.nonce} ${stop.from}`}
          >
            <b className="words">{scopeWords({ ...stop, state: 'released', record: null })}</b>
            <span>
              {day(stop.from).slice(4)} {hourAndMinute(stop.from)}
            </span>
            <span className="words text-t2">{stoppedWords(stop)}</span>
            <span>{duration(elapsedMs(stop.from, stop.to as Instant))}</span>
            <span className={`words ${stop.ended === 'vanished' ? 'text-crit' : 'text-t2'}`}>{endWords(stop)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
