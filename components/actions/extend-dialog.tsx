'use client'
import { useState } from 'react'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { StatusGlyph } from '../election/status-glyph.tsx'
import { newOperation, useOperation } from '../live/actions.ts'
import { useExtend } from '../live/switches.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { GuardedDialog } from './guarded-dialog.tsx'
import { OutcomeNotice } from './outcome-notice.tsx'
import { ReasonField } from './reason-field.tsx'
import { type UntilChoice, UntilField, untilOf, untilWords } from './until-field.tsx'

interface ExtendDialogProps {
  onClose: () => void
  cluster: string
  standing: StandingSwitch
  scope: string
  now: Instant
}

/** Another time by which somebody means to release it. Who engaged it and why stays. */
export function ExtendDialog({ onClose, cluster, standing, scope, now }: ExtendDialogProps) {
  const [until, setUntil] = useState<UntilChoice>('60')
  const [reason, setReason] = useState('')
  const extend = useExtend()
  const { data: followed } = useOperation(extend.data?.id ?? null)
  const operation = followed ?? extend.data
  const missing = reason.trim() === '' ? 'Give a reason first.' : null
  const send = () =>
    extend.mutate({
      cluster,
      scopeBase64: standing.scopeBase64,
      nonce: standing.record?.nonce ?? '',
      until: untilOf(until, now),
      reason: reason.trim(),
      operation: newOperation(),
    })
  return (
    <GuardedDialog
      buttons={
        operation === undefined && (
          <Button
            className="h-11 max-sm:w-full"
            disabled={missing !== null || extend.isPending}
            onClick={send}
            variant="primary"
          >
            Keep {scope} stopped until {untilWords(untilOf(until, now), now)}
          </Button>
        )
      }
      leave={operation === undefined ? undefined : 'Close'}
      icon={<StatusGlyph size={22} status="stopped" />}
      leastRole="operator"
      note={operation === undefined ? (missing ?? 'Nothing is sent until you press the button.') : ''}
      onOpenChange={onClose}
      open
      title={`Extend the stop of ${scope}`}
    >
      {operation !== undefined && <OutcomeNotice operation={operation} />}
      {extend.error !== null && <Notice tone="crit">Not extended: {extend.error.message}</Notice>}
      {operation === undefined && (
        <>
          <UntilField now={now} onChange={setUntil} value={until} />
          <ReasonField hint="required, added to the record’s log" onChange={setReason} value={reason} />
        </>
      )}
    </GuardedDialog>
  )
}
