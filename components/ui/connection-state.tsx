'use client'
import { usePast } from '../live/past-provider.tsx'
import { useConnection, useLiveStore, useServerNow } from '../live/use-live.ts'
import { connectionWords } from './connection-words.ts'
import { useChosenCluster } from './use-chosen-cluster.ts'

const TEXT = { ok: 'text-ok', warn: 'text-warn', crit: 'text-crit', calm: 'text-t2' }

/** Always visible: whether what is shown is what is. */
export function ConnectionState() {
  const store = useLiveStore()
  const connection = useConnection()
  // Read with the clock, not with every frame: nobody reads a revision faster.
  const now = useServerNow(4)
  const { chosen } = useChosenCluster()
  const views = chosen === null ? [...store.views.values()] : [store.views.get(chosen)].filter((view) => view != null)
  const clusters = views.map((view) => view.info)
  const { isPast, at } = usePast()
  const words = connectionWords(isPast && at !== null ? { state: 'past', at } : connection, clusters, now)
  return (
    <span className="flex min-w-0 items-center gap-[7px] whitespace-nowrap text-t2" title={words.reason || undefined}>
      <span className={TEXT[words.tone]}>
        <StateGlyph live={words.tone === 'ok'} />
      </span>
      <b className={TEXT[words.tone]} role="status">
        {words.word}
      </b>
      {words.before !== '' && (
        <span className="truncate max-sm:hidden">
          · {words.before} {words.bytes !== '' && <span className="bytes">{words.bytes}</span>}
          {words.after}
        </span>
      )}
    </span>
  )
}

/** A full disc while live, a broken ring otherwise. */
function StateGlyph({ live }: { live: boolean }) {
  return (
    <svg aria-hidden="true" fill="none" height="14" stroke="currentColor" viewBox="0 0 14 14" width="14">
      {live ? (
        <>
          <circle cx="7" cy="7" fill="currentColor" r="3" stroke="none" />
          <circle cx="7" cy="7" opacity=".6" r="6" />
        </>
      ) : (
        <circle cx="7" cy="7" r="5.4" strokeDasharray="3 2.6" strokeWidth="1.8" />
      )}
    </svg>
  )
}
