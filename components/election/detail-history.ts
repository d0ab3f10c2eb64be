'use client'
/** History for the page, merged with the live state so that nothing waits for a query. */
import { useEffect, useMemo, useState } from 'react'
import type { TermShape } from '../../lib/election/describe.ts'
import { holdingAt, type Stop } from '../../lib/election/stops.ts'
import type { Cluster, ElectionState, Gap } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { useTerms } from '../live/queries.ts'
import { usePastAt } from '../live/use-live.ts'
import { mergeGaps, mergeStops, mergeTerms } from './detail-merge.ts'
import { gapAt, termsAt, upTo } from './detail-up-to.ts'

const SETTLE_MS = 1_500

/**
 * `version`, and once more a moment later: history is written after the change is told, so an answer
 * to the first question may not have it yet.
 */
export function useSettledVersion(version: string): string {
  const [settled, setSettled] = useState(version)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(version), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [version])
  return settled === version ? `${version} settled` : version
}

/** Changes whenever a term, its cause or a gap does. */
function versionOf(state: ElectionState): string {
  const last = state.ended.at(-1)
  return [state.lastOrdinal, last?.token ?? '', last?.endedBy?.cause ?? '', state.gaps.length].join(' ')
}

export interface PageHistory {
  /** Newest first. */
  terms: readonly TermShape[]
  gaps: readonly Gap[]
  /** Times in which a kill switch held it stopped, oldest first. */
  stops: readonly Stop[]
  /** Older terms exist that were not fetched. */
  more: boolean
  error: string | null
}

const NONE: readonly never[] = []

/** `history`, and what it has not of a time before its oldest term. */
export function useSpanHistory(
  asked: { cluster: string; ref: string; from: Instant; to: Instant },
  history: PageHistory,
): PageHistory {
  const { cluster, ref, from, to } = asked
  const oldest = history.terms.at(-1)
  const isWanted = history.more && oldest !== undefined && from < oldest.from
  const { data, error } = useTerms({ cluster, ref, from, to }, '', isWanted)
  return useMemo(() => {
    if (!isWanted) return history
    const earlier = data?.terms ?? NONE
    const newest = history.terms[0] ?? null
    const terms = mergeTerms({ ended: NONE, term: newest?.to === null ? newest : null }, [...history.terms, ...earlier])
    const more = data === undefined || data.nextCursor !== undefined
    return {
      ...history,
      terms,
      gaps: mergeGaps(history.gaps, data?.gaps ?? NONE),
      more,
      error: error?.message ?? history.error,
    }
  }, [isWanted, history, data, error])
}

export function usePageHistory(cluster: Cluster, state: ElectionState): PageHistory {
  const version = useSettledVersion(versionOf(state))
  const pastAt = usePastAt()
  const { data, error } = useTerms({ cluster: cluster.name, ref: state.ref, ...upTo(pastAt) }, version)
  const { ended, term, gaps } = state
  const terms = useMemo(
    () => mergeTerms({ ended, term }, termsAt(data?.terms ?? NONE, pastAt)),
    [ended, term, data?.terms, pastAt],
  )
  // Each heartbeat brings the cluster's gaps anew; as text they differ only when they do.
  const clusterGaps = JSON.stringify(cluster.gaps)
  const allGaps = useMemo(() => {
    const live = [...gaps, ...(JSON.parse(clusterGaps) as Gap[])]
    return mergeGaps(live, data?.gaps ?? NONE).flatMap((gap) => gapAt(gap, pastAt))
  }, [gaps, clusterGaps, data?.gaps, pastAt])
  const clusterStops = JSON.stringify(cluster.stops ?? NONE)
  const stops = useMemo(() => {
    const kept = (data?.stops ?? NONE).map((stop) => (pastAt === null ? stop : holdingAt(stop, pastAt)))
    return mergeStops(JSON.parse(clusterStops) as Stop[], kept, state.prefixBase64)
  }, [clusterStops, data?.stops, state.prefixBase64, pastAt])
  const more = data?.nextCursor !== undefined
  const trouble = error === null ? null : error.message
  return useMemo(() => ({ terms, gaps: allGaps, stops, more, error: trouble }), [terms, allGaps, stops, more, trouble])
}
