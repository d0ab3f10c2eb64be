'use client'
import { ArrowLeftRight } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ActionRefusal, HandoffMethod, HandoffPreflight } from '../../lib/election/actions.ts'
import type { Role } from '../../lib/election/policy.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { isRefusal, newOperation, refusalIn, useBegun, useHandoff } from '../live/actions.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import type { ColourOf } from './dialog-parts.tsx'
import { GuardedDialog } from './guarded-dialog.tsx'
import { HandoffForecast } from './handoff-forecast.tsx'
import { HandoffForm } from './handoff-form.tsx'
import { HandoffSeen } from './handoff-seen.tsx'
import { type Choice, effectWords, refusalWords, whyDisabled } from './handoff-words.ts'
import { PreflightList } from './preflight-list.tsx'
import { type Review, useHandoffReview } from './use-handoff-review.ts'

interface HandoffDialogProps {
  cluster: string
  state: ElectionState
  name: string
  role: Role | null
  colourOf: ColourOf
  /** Already chosen, where somebody goes on from a handoff that was in vain. */
  method?: HandoffMethod | undefined
  onClose: () => void
  /** It was sent, or may have been: follow it by its id. */
  onSent: (operation: string) => void
}

const NOTHING_SENT = 'Nothing is sent until you press the button.'

/** What was seen, how to hand off, and what to expect. Its button names the effect. */
export function HandoffDialog(props: HandoffDialogProps) {
  const { cluster, state, name, role, colourOf, onClose } = props
  const [chosen, setChosen] = useState<Partial<Choice>>(props.method === undefined ? {} : { method: props.method })
  const review = useHandoffReview(cluster, state, chosen.method === 'remove-key' ? 'remove-key' : 'handoff')
  const { seen } = review
  const choice = seen === null ? null : choiceOf(seen, chosen)
  const sending = useSending(props, review, choice)
  const problem = review.conflict ?? (sending.refusal === null ? null : refusalWords(sending.refusal))
  const again = () => {
    sending.forget()
    setChosen(({ reason = '' }) => ({ reason }))
    review.again()
  }
  const why = problem ?? (seen === null || choice === null ? null : whyDisabled(seen, choice, role))
  return (
    <GuardedDialog
      alert={problem !== null && <Problem again={again} words={problem} />}
      aside={seen !== null && choice !== null && <Aside choice={choice} colourOf={colourOf} seen={seen} />}
      buttons={
        <Confirm
          disabled={why !== null || review.current === null || sending.isPending}
          forced={choice?.method === 'revoke-session' || choice?.method === 'remove-key'}
          onClick={sending.send}
        >
          {sending.isPending
            ? 'Sending…'
            : seen === null || choice === null
              ? `Hand off ${name}`
              : effectWords(seen, choice)}
        </Confirm>
      }
      icon={<ArrowLeftRight aria-hidden="true" className="shrink-0" size={20} />}
      note={problem !== null ? 'Nothing was sent.' : (why ?? NOTHING_SENT)}
      onOpenChange={(open) => open || onClose()}
      open
      leastRole="operator"
      title={`Hand off ${name}`}
    >
      {seen === null || choice === null ? (
        <Reading again={review.again} refusal={review.refusal} />
      ) : (
        <>
          <HandoffSeen colourOf={colourOf} seen={seen} />
          <HandoffForm
            choice={choice}
            colourOf={colourOf}
            mayOverride={role === 'admin'}
            onChange={(change) => setChosen((now) => ({ ...now, ...change }))}
            seen={seen}
          />
        </>
      )}
    </GuardedDialog>
  )
}

function Aside({ seen, choice, colourOf }: { seen: HandoffPreflight; choice: Choice; colourOf: ColourOf }) {
  const next = choice.method === 'ask' ? choice.target : (seen.targets[0] ?? null)
  return (
    <>
      <HandoffForecast colourOf={colourOf} method={choice.method} next={next} seen={seen} />
      <PreflightList checks={seen.checks} />
    </>
  )
}

function choiceOf(seen: HandoffPreflight, chosen: Partial<Choice>): Choice {
  const target = chosen.target ?? seen.targets.find(({ offered }) => offered) ?? null
  const none = { reason: '', acknowledged: false, overridesNoStandby: false }
  return { ...none, method: seen.defaultMethod, ...chosen, target }
}

/** One id for every click until it is refused: two of them are one handoff. */
function useSending({ cluster, state, onSent }: HandoffDialogProps, { current }: Review, choice: Choice | null) {
  const [operation, setOperation] = useState(newOperation)
  const handoff = useHandoff()
  const [refusal, setRefusal] = useState<ActionRefusal | null>(null)
  const hasBegun = useBegun({ cluster, ref: state.ref }, operation, handoff.isPending)
  const follow = useEffectEvent(() => onSent(operation))
  useEffect(() => {
    // The answer to a leader that drains takes a while: what becomes of it is followed meanwhile.
    if (hasBegun) follow()
  }, [hasBegun])
  const send = () => {
    if (current === null || choice === null || choice.method === null || handoff.isPending) return
    const { method, target, reason, acknowledged, overridesNoStandby } = choice
    const named =
      method === 'ask' && target?.lease ? { createRevision: target.createRevision, lease: target.lease } : null
    const input = {
      ...{ cluster, ref: state.ref, token: current.token, method, reason, operation },
      ...(named === null ? {} : { target: named }),
      ...(acknowledged && current.coolDown ? { acknowledgedOperation: current.coolDown.operation } : {}),
      ...(overridesNoStandby ? { overridesNoStandby } : {}),
    }
    handoff.mutate(input, {
      onSuccess: ({ id }) => onSent(id),
      // No answer is no refusal: it may have been done.
      onError: (error) => (isRefusal(error) ? setRefusal(refusalIn(error)) : onSent(operation)),
    })
  }
  const forget = () => {
    setRefusal(null)
    setOperation(newOperation())
  }
  return { send, forget, refusal, isPending: handoff.isPending }
}

function Problem({ words, again }: { words: string; again: () => void }) {
  return (
    <Notice tone="crit">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="words min-w-0 grow basis-60">{words}</p>
        <Button className="max-sm:h-11" onClick={again}>
          Review again
        </Button>
      </div>
    </Notice>
  )
}

function Reading({ refusal, again }: { refusal: ActionRefusal | null; again: () => void }) {
  if (refusal === null) {
    return (
      <p className="min-h-40 text-t2" role="status">
        Reading the election in etcd…
      </p>
    )
  }
  return (
    <Notice tone="crit">
      <p className="words">
        {refusal.why} {refusal.fix}
      </p>
      <Button className="mt-2 max-sm:h-11" onClick={again}>
        Try again
      </Button>
    </Notice>
  )
}

interface ConfirmProps {
  forced: boolean
  disabled: boolean
  onClick: () => void
  children: string
}

function Confirm({ forced, disabled, onClick, children }: ConfirmProps) {
  const look = forced ? 'border-critfill bg-critfill text-oncrit' : 'border-bone bg-bone text-onbone'
  return (
    <button
      className={`words min-h-11 min-w-0 break-words rounded-md border px-4 py-2 font-semibold disabled:border-ctl disabled:border-dashed disabled:bg-transparent disabled:text-t3 max-sm:w-full ${look}`}
      disabled={disabled}
      onClick={onClick}
      type="button"
    >
      {children}
    </button>
  )
}
