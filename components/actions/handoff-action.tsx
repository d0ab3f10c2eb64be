'use client'
import { ArrowLeftRight } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import type { HandoffMethod } from '../../lib/election/actions.ts'
import { type Refusal, whyNot } from '../../lib/election/policy.ts'
import { leaderOf, nextUpOf } from '../../lib/election/queue.ts'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import { type Me, useMe } from '../live/account.ts'
import { useHandoffs } from '../live/actions.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import type { ColourOf } from './dialog-parts.tsx'
import { HandoffDialog } from './handoff-dialog.tsx'
import { HandoffProgress } from './handoff-progress.tsx'

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
  const inFlight = handoffs.data?.operations.find(({ outcome }) => outcome === null || outcome.is === 'unknown')
  const refusal = whyNotNow({ me, cluster, state, isFrozen, inFlight: inFlight !== undefined })
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
      <HandoffButton button={button} isFollowing={inFlight !== undefined} onClick={start} refusal={refusal} />
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

interface HandoffButtonProps {
  button: RefObject<HTMLButtonElement | null>
  refusal: Pick<Refusal, 'why' | 'fix'> | null
  isFollowing: boolean
  onClick: () => void
}

/** Disabled for the keyboard too, but it stays reachable: who cannot press it must still hear why. */
function HandoffButton({ button, refusal, isFollowing, onClick }: HandoffButtonProps) {
  const isOff = refusal !== null && !isFollowing
  const look = isOff
    ? 'border-ctl border-dashed text-t3 cursor-default'
    : 'border-bone bg-bone text-onbone hover:opacity-90'
  return (
    <span className="group relative flex max-sm:grow">
      <button
        aria-describedby={isOff ? 'why-no-handoff' : undefined}
        aria-disabled={isOff}
        className={`inline-flex h-9 items-center justify-center gap-2 whitespace-nowrap rounded-md border px-3.5 font-semibold max-sm:h-11 max-sm:grow ${look}`}
        onClick={isOff ? undefined : onClick}
        ref={button}
        type="button"
      >
        <ArrowLeftRight aria-hidden="true" size={16} />
        {isFollowing ? 'Handing off…' : 'Hand off…'}
      </button>
      {isOff && (
        <span
          className="words pointer-events-none absolute right-0 z-20 hidden w-72 rounded-md border border-line2 bg-s2 px-3 py-2 text-sm text-t1 shadow-dialog group-focus-within:block group-hover:block max-sm:bottom-full max-sm:left-0 max-sm:mb-2 max-sm:w-auto sm:top-full sm:mt-2"
          id="why-no-handoff"
          role="tooltip"
        >
          {refusal.why} {refusal.fix}
        </span>
      )}
    </span>
  )
}
