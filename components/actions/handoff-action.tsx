'use client'
import { ArrowLeftRight } from 'lucide-react'
import { useRef, useState } from 'react'
import type { HandoffMethod } from '../../lib/election/actions.ts'
import { type Refusal, whyNot } from '../../lib/election/policy.ts'
import { leaderOf, nextUpOf } from '../../lib/election/queue.ts'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import { type Me, useMe } from '../live/account.ts'
import { useHandoffs } from '../live/actions.ts'
import { IN_THE_PAST, wordsOfRefusal } from '../live/may.ts'
import { usePastAt } from '../live/use-live.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import type { ColourOf } from './dialog-parts.tsx'
import { HandoffDialog } from './handoff-dialog.tsx'
import { HandoffProgress } from './handoff-progress.tsx'
import { Opener } from './opener.tsx'

interface HandoffActionProps {
  cluster: Cluster
  state: ElectionState
  name: string
  /** The page itself has lost the server. */
  isFrozen: boolean
  colourOf: ColourOf
}

type Open = { is: 'review'; method?: HandoffMethod } | { is: 'progress'; id: string } | null

/** "Hand off…", its dialog, and what became of it. A disabled button says why. */
export function HandoffAction({ cluster, state, name, isFrozen, colourOf }: HandoffActionProps) {
  const { data: me } = useMe()
  const [open, setOpen] = useState<Open>(null)
  const handoffs = useHandoffs({ cluster: cluster.name, ref: state.ref }, state.term?.token ?? '')
  const isPast = usePastAt() !== null
  const unsettled = handoffs.data?.operations.find(({ outcome }) => outcome === null || outcome.is === 'unknown')
  const inFlight = isPast ? undefined : unsettled
  const refusal = isPast ? IN_THE_PAST : whyNotNow({ me, cluster, state, isFrozen, inFlight: inFlight !== undefined })
  const start = () => {
    if (inFlight !== undefined) setOpen({ is: 'progress', id: inFlight.id })
    else if (refusal === null) setOpen({ is: 'review' })
  }
  useShortcuts({ h: start })
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(null)
    // One dialog followed another: what had the focus before them is not known to the last one.
    setTimeout(() => button.current?.focus())
  }
  return (
    <>
      <Opener
        button={button}
        look="primary"
        onOpen={start}
        refusal={inFlight === undefined ? wordsOfRefusal(refusal) : null}
      >
        <ArrowLeftRight aria-hidden="true" size={16} />
        {inFlight === undefined ? 'Hand off…' : 'Handing off…'}
      </Opener>
      {open?.is === 'review' && (
        <HandoffDialog
          cluster={cluster.name}
          colourOf={colourOf}
          method={open.method}
          name={name}
          onClose={close}
          onSent={(id) => setOpen({ is: 'progress', id })}
          role={me?.who?.role ?? null}
          state={state}
        />
      )}
      {open?.is === 'progress' && (
        <HandoffProgress
          colourOf={colourOf}
          id={open.id}
          name={name}
          onClose={close}
          onForce={() => setOpen({ is: 'review', method: 'revoke-session' })}
        />
      )}
    </>
  )
}

interface Now {
  me: Me | undefined
  cluster: Cluster
  state: ElectionState
  isFrozen: boolean
  inFlight: boolean
}

const NOBODY: Pick<Refusal, 'why' | 'fix'> = { why: 'Nobody leads.', fix: 'There is nothing to hand off.' }

/** The same policy as the server asks; what only etcd can tell is left to the dialog. */
function whyNotNow({ me, cluster, state, isFrozen, inFlight }: Now): Pick<Refusal, 'why' | 'fix'> | null {
  if (me === undefined) return { why: 'Asking who you are.', fix: '' }
  const role = me.who?.role ?? null
  const refusal = whyNot(role, 'handoff', {
    readOnly: me.readOnly ? 'everywhere' : cluster.readOnly ? 'cluster' : 'no',
    freshness: isFrozen ? 'stale' : cluster.freshness,
    rolledBack: cluster.rolledBack !== undefined,
    confirmed: state.confirmed,
    hasStandby: state.layout === 'single-key' || nextUpOf(state.candidates) !== null,
    actionInFlight: inFlight,
    overridesNoStandby: role === 'admin',
  })
  if (refusal !== null) return refusal
  return leaderOf(state.candidates) === null ? NOBODY : null
}
