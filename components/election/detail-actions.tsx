'use client'
import { useState } from 'react'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { ConfirmElection } from '../actions/confirm-election.tsx'
import { StopButton, StopDialog } from '../actions/stop-dialog.tsx'
import { useWhyNot, wordsOfRefusal } from '../live/may.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'

interface DetailActionsProps {
  cluster: Cluster
  state: ElectionState
  name: string
  now: Instant
}

/** What can be done to this election. On a phone it stays within reach of the thumb. */
export function DetailActions({ cluster, state, name, now }: DetailActionsProps) {
  const [stopping, setStopping] = useState(false)
  const noStop = wordsOfRefusal(useWhyNot('engage', cluster, state))
  useShortcuts({ x: () => noStop === null && setStopping(true) })
  return (
    <div className="flex shrink-0 items-start gap-3 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-16 max-sm:z-20 max-sm:border-line max-sm:border-t max-sm:bg-s1 max-sm:p-2">
      {!state.confirmed && <ConfirmElection cluster={cluster} name={name} state={state} />}
      <StopButton className="max-sm:h-11 max-sm:grow" onOpen={() => setStopping(true)} refusal={noStop} />
      <StopDialog
        cluster={cluster}
        election={{ prefixBase64: state.prefixBase64, name }}
        now={now}
        onOpenChange={setStopping}
        open={stopping}
        refusal={noStop}
      />
    </div>
  )
}
