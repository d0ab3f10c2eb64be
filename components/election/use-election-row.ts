'use client'
/** Everything a row or card shows of one election, new only when that election or its cluster's state changes. */
import { notesOf } from '../../lib/election/describe.ts'
import { statusOf } from '../../lib/election/status.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import { useElection, useLiveStore } from '../live/use-live.ts'
import type { Row } from './list-model.ts'
import { noteWords } from './note-words.ts'
import { STATUS_WORDS } from './status-words.ts'
import { type SeenCluster, useSeenCluster } from './use-seen.ts'

export interface ElectionRow {
  state: ElectionState
  seen: SeenCluster
  status: Row['status']
  /** Only while nothing is live: what it was when it was seen last. */
  was: string
  notes: readonly string[]
}

/** `row` is the list's newest opinion: it makes rows render again when time alone changed a status. */
export function useElectionRow(row: Row): ElectionRow {
  const store = useLiveStore()
  const seen = useSeenCluster(row.cluster)
  const found = useElection(row.cluster, row.ref)
  const state = found?.state ?? row.state
  const info = found?.view.info ?? store.views.get(row.cluster)?.info
  const now = instant(store.time.nowMs())
  const status = info === undefined ? row.status : statusOf(state, { ...info, freshness: seen.freshness }, now)
  const was = row.lastKnown === row.status ? '' : `was ${STATUS_WORDS[row.lastKnown].toLowerCase()}`
  return { state, seen, status, was: status === 'unknown' ? was : '', notes: notesOf(state).map(noteWords) }
}
