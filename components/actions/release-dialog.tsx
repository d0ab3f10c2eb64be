'use client'
import { useState } from 'react'
import type { SwitchProof } from '../../lib/election/actions.ts'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
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
  standing: StandingSwitch
  /** As words: "payments/ledger-writer", "/elections/payments/ and below". */
  scope: string
  proof: SwitchProof | null
  now: Instant
}

/** Lets candidates lead again. Slow on purpose: an admin, a reason, the typed name, and where it is set up a second person. */
export function ReleaseDialog({ onClose, cluster, standing, scope, proof, now }: ReleaseDialogProps) {
  const { scopeBase64, match, record } = standing
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  // As it was shown first: what was changed since then is not released.
  const [seen] = useState(standing.modRevision)
  const { data: forecast } = useForecast({ cluster, scopeBase64, match })
  const release = useRelease()
  const confirm = useConfirmRelease()
  const sent = release.data ?? confirm.data
  const { data: followed } = useOperation(sent?.id ?? null)
  const operation = followed ?? sent
  const asked = proof?.releaseAskedBy ?? null
  const error = release.error ?? confirm.error
  const missing =
    asked === null && reason.trim() === ''
      ? 'Give a reason first.'
      : typed !== forecast?.typedName
        ? 'Type the name first.'
        : null
  const send = () => {
    const nonce = record?.nonce ?? ''
    const common = { cluster, scopeBase64, nonce, modRevision: seen, typedName: typed, operation: newOperation() }
    if (asked === null) release.mutate({ ...common, reason: reason.trim() })
    else confirm.mutate(common)
  }
  const verb = asked === null ? 'Release' : 'Confirm the release of'
  return (
    <GuardedDialog
      aside={<Standing now={now} proof={proof} standing={standing} />}
      buttons={
        operation === undefined && (
          <Button
            className="h-11 max-sm:w-full"
            disabled={missing !== null || release.isPending || confirm.isPending}
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
      {error !== null && <Notice tone="crit">Not released: {error.message}</Notice>}
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
