'use client'
import { useState } from 'react'
import type { SwitchProof } from '../../lib/election/actions.ts'
import { isHolding, type StandingSwitch } from '../../lib/election/scopes.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { elapsedMs } from '../../lib/shared/clock.ts'
import { duration } from '../../lib/shared/format.ts'
import { StatusGlyph } from '../election/status-glyph.tsx'
import { newOperation, useOperation } from '../live/actions.ts'
import { useConfirmRelease, useForecast, useRelease } from '../live/switches.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { GuardedDialog } from './guarded-dialog.tsx'
import { OutcomeNotice } from './outcome-notice.tsx'
import { ReasonField } from './reason-field.tsx'
import { TypedName } from './typed-name.tsx'

interface ReleaseDialogProps {
  onClose: () => void
  cluster: string
  /** As it was shown first: what was changed since then is not released. */
  standing: StandingSwitch
  /** As it is now, when that is something else. */
  changed: StandingSwitch | null
  onLookAgain: (at: StandingSwitch) => void
  /** As words: "payments/ledger-writer", "/elections/payments/ and below". */
  scope: string
  proof: SwitchProof | null
  now: Instant
}

/** Lets candidates lead again. Slow on purpose: an admin, a reason, the typed name, and where it is set up a second person. */
export function ReleaseDialog(props: ReleaseDialogProps) {
  const { onClose, cluster, standing, onLookAgain, scope, proof, now } = props
  const { scopeBase64, match, record } = standing
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const { data: forecast } = useForecast({ cluster, scopeBase64, match })
  const release = useRelease()
  const confirm = useConfirmRelease()
  const sent = release.data ?? confirm.data
  const { data: followed } = useOperation(sent?.id ?? null)
  const operation = followed ?? sent
  const asked = proof?.releaseAskedBy ?? null
  const isPending = release.isPending || confirm.isPending
  // Our own release changes it, too.
  const changed = isPending || operation !== undefined ? null : props.changed
  const error = release.error ?? confirm.error
  const missing = whatIsMissing({
    changed,
    needsReason: asked === null && reason.trim() === '',
    needsName: typed !== forecast?.typedName,
  })
  const send = () => {
    const nonce = record?.nonce ?? ''
    const common = {
      cluster,
      scopeBase64,
      nonce,
      modRevision: standing.modRevision,
      typedName: typed,
      operation: newOperation(),
    }
    if (asked === null) release.mutate({ ...common, reason: reason.trim() })
    else confirm.mutate(common)
  }
  const lookAgain = (at: StandingSwitch) => {
    setTyped('')
    release.reset()
    confirm.reset()
    onLookAgain(at)
  }
  const verb = asked === null ? 'Release' : 'Confirm the release of'
  return (
    <GuardedDialog
      aside={<Standing now={now} proof={proof} standing={standing} />}
      buttons={
        operation === undefined && (
          <Button
            className="h-11 max-sm:w-full"
            disabled={missing !== null || isPending}
            onClick={send}
            variant="primary"
          >
            {verb} {scope}
          </Button>
        )
      }
      leave={operation === undefined ? undefined : 'Close'}
      icon={<StatusGlyph size={22} status="stopped" />}
      leastRole={asked === null ? 'admin' : 'operator'}
      note={operation === undefined ? (missing ?? 'Nothing is sent until you press the button.') : ''}
      onOpenChange={onClose}
      open
      title={`${verb} ${scope}`}
    >
      {operation !== undefined && <OutcomeNotice operation={operation} />}
      {changed !== null && <Changed onLookAgain={lookAgain} standing={changed} />}
      {error !== null && changed === null && <Notice tone="crit">Not released: {error.message}</Notice>}
      {operation === undefined && (
        <>
          {asked === null ? (
            <ReasonField hint="required, kept in the audit log" onChange={setReason} value={reason} />
          ) : (
            <p className="words">
              <b>{asked.name}</b> asked for the release {duration(elapsedMs(asked.at, now))} ago: {asked.reason}. A
              second person has to agree.
            </p>
          )}
          <TypedName label="Type the name" name={forecast?.typedName ?? '…'} onChange={setTyped} value={typed} />
        </>
      )}
    </GuardedDialog>
  )
}

function whatIsMissing(given: { changed: StandingSwitch | null; needsReason: boolean; needsName: boolean }) {
  if (given.changed !== null) return isHolding(given.changed) ? 'Look again first.' : 'It is released already.'
  if (given.needsReason) return 'Give a reason first.'
  return given.needsName ? 'Type the name first.' : null
}

function Changed({ standing, onLookAgain }: { standing: StandingSwitch; onLookAgain: (at: StandingSwitch) => void }) {
  const last = standing.record?.log.at(-1)
  return (
    <Notice tone="warn">
      <div className="flex flex-wrap items-center gap-3">
        <p className="words">
          Since this was opened the record was changed
          {last && `: ${last.what} by ${last.by}, “${last.reason}”`}.
        </p>
        {isHolding(standing) && <Button onClick={() => onLookAgain(standing)}>Look again</Button>}
      </div>
    </Notice>
  )
}

function Standing({ standing, proof, now }: Pick<ReleaseDialogProps, 'standing' | 'proof' | 'now'>) {
  const { record } = standing
  return (
    <>
      <p className="words">
        Stopped by <b>{record?.by ?? 'nobody known'}</b>
        {record && ` ${duration(elapsedMs(record.at, now))} ago: ${record.reason}`}
      </p>
      <div>
        <h3 className="mb-1 font-semibold">What happens</h3>
        <p className="text-sm text-t2">
          Candidates that stopped queue again, and the first of them leads.
          {proof?.mode === 'enforced' && ' The held heads are deleted: in each queue exactly one candidate wins.'}
        </p>
        {proof !== null && proof.acknowledged < proof.of && (
          <p className="mt-2 text-sm text-warn">
            {proof.of - proof.acknowledged} of {proof.of} candidates have not said that they stopped.
          </p>
        )}
      </div>
    </>
  )
}
