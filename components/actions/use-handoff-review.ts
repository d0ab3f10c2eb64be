'use client'
import { useState } from 'react'
import type { ActionRefusal, HandoffAction, HandoffPreflight } from '../../lib/election/actions.ts'
import { leaderOf } from '../../lib/election/queue.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { compareDecimal } from '../../lib/shared/decimal.ts'
import { usePreflight } from '../live/actions.ts'
import { conflictWords, isSameSight, refusalWords } from './handoff-words.ts'

export interface Review {
  /** What was read when the dialog opened, or was reviewed again. It never changes under whoever reads it. */
  seen: HandoffPreflight | null
  /** Good for the action that was asked for, and shows the same; null while it is read or when it does not. */
  current: HandoffPreflight | null
  /** Why what is shown is not what is. */
  conflict: string | null
  refusal: ActionRefusal | null
  again: () => void
}

export function useHandoffReview(cluster: string, state: ElectionState, action: HandoffAction): Review {
  const { data, refetch } = usePreflight({ cluster, ref: state.ref, action }, true)
  const [seen, setSeen] = useState<HandoffPreflight | null>(null)
  /** The token of what was put aside: it is not what a new review shows. */
  const [putAside, setPutAside] = useState<string | null>(null)
  const read = data !== undefined && 'seen' in data ? data.seen : null
  const latest = read?.token === putAside ? null : read
  const refusal = data !== undefined && 'refusal' in data ? data.refusal : null
  if (seen === null && latest !== null) setSeen(latest)
  const conflict = seen === null ? null : conflictOf(seen, latest, state)
  const isSame = conflict === null && seen !== null && latest !== null
  return {
    seen,
    current: isSame ? latest : null,
    conflict: conflict ?? (refusal !== null && seen !== null ? refusalWords(refusal) : null),
    refusal: seen === null ? refusal : null,
    again: () => {
      setPutAside(read?.token ?? null)
      setSeen(null)
      void refetch()
    },
  }
}

function conflictOf(seen: HandoffPreflight, latest: HandoffPreflight | null, state: ElectionState): string | null {
  const leader = leaderOf(state.candidates)
  if (leader !== null && compareDecimal(leader.createRevision, seen.leader.createRevision) > 0) {
    const ordinal = state.term?.token === leader.createRevision ? state.term.ordinal : null
    return conflictWords({ identity: leader.identity, ordinal, token: leader.createRevision })
  }
  if (latest === null || isSameSight(seen, latest)) return null
  if (latest.leader.createRevision !== seen.leader.createRevision) {
    return conflictWords({ ...latest.leader, ...latest.term })
  }
  return 'The leader’s key, its lease, or what hangs on it changed while you read this. Nothing was sent.'
}
