'use client'
import { useState } from 'react'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { ConfirmElection } from '../actions/confirm-election.tsx'
import { HandoffAction } from '../actions/handoff-action.tsx'
import { StopButton, StopDialog } from '../actions/stop-dialog.tsx'
import { useWhyNot, wordsOfRefusal } from '../live/may.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import type { LaneSlot } from './lane-colours.ts'

interface DetailActionsProps {
  cluster: Cluster
  state: ElectionState
  name: string
  now: Instant
  isFrozen: boolean
  colourOf: (who: { identity: string; keyBase64: string }) => LaneSlot | undefined
}

/** What can be done to this election: handed off, and, apart from it, stopped. */
export function DetailActions({ cluster, state, name, now, isFrozen, colourOf }: DetailActionsProps) {
  const [stopping, setStopping] = useState(false)
  const noStop = wordsOfRefusal(useWhyNot('engage', cluster, state))
  useShortcuts({ x: () => noStop === null && setStopping(true) })
  return (
    <>
      <ConfirmElection cluster={cluster} name={name} state={state} />
      <HandoffAction cluster={cluster} colourOf={colourOf} isFrozen={isFrozen} name={name} state={state} />
      <span aria-hidden="true" className="h-6 border-line2 border-l max-sm:hidden" />
      <StopButton onOpen={() => setStopping(true)} refusal={noStop} />
      <StopDialog
        cluster={cluster}
        election={{ prefixBase64: state.prefixBase64, name }}
        now={now}
        onOpenChange={setStopping}
        open={stopping}
        refusal={noStop}
      />
    </>
  )
}
