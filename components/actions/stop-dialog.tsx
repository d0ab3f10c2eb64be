'use client'
import { useState } from 'react'
import type { Operation, SwitchForecast } from '../../lib/election/actions.ts'
import type { Cluster } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { StatusGlyph } from '../election/status-glyph.tsx'
import { newOperation, useOperation } from '../live/actions.ts'
import { useEngage, useForecast, useProof } from '../live/switches.ts'
import { ProofTable } from '../switches/proof-table.tsx'
import { acknowledgedWords } from '../switches/proof-words.ts'
import { Notice } from '../ui/notice.tsx'
import { GuardedDialog } from './guarded-dialog.tsx'
import { HoldButton } from './hold-button.tsx'
import { Opener } from './opener.tsx'
import { OutcomeNotice } from './outcome-notice.tsx'
import { StopAside } from './stop-aside.tsx'
import { type StopDraft, StopQuestions } from './stop-questions.tsx'
import { type ScopeChoice, scopeChoices } from './switch-scopes.ts'
import { untilOf } from './until-field.tsx'

interface StopDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  cluster: Cluster
  /** null: opened where no election is in sight. */
  election: { prefixBase64: string; name: string } | null
  now: Instant
  /** Why not, in words; null when it may be done. */
  refusal: string | null
}

/** Stops leaders of a scope and holds them stopped. Reason and typed name, then two seconds of holding. */
export function StopDialog(props: StopDialogProps) {
  const { open, onOpenChange } = props
  // A dialog that is opened anew begins anew: nothing that was typed for another election stays in it.
  return open ? <Opened {...props} onOpenChange={onOpenChange} /> : null
}

function Opened({ onOpenChange, cluster, election, now, refusal }: StopDialogProps) {
  const choices = scopeChoices(election?.prefixBase64 ?? null, cluster)
  const [draft, setDraft] = useState<StopDraft>(() => ({
    scope: choices[0] as ScopeChoice,
    mode: null,
    until: '60',
    reason: '',
    typed: '',
    matchesNothing: false,
  }))
  const change = (part: Partial<StopDraft>) => setDraft((before) => ({ ...before, ...part }))
  const { scopeBase64, match } = draft.scope
  const forecast = useForecast({ cluster: cluster.name, scopeBase64, match })
  const engage = useEngage()
  const { data: followed } = useOperation(engage.data?.id ?? null)
  const operation = followed ?? engage.data
  const mode = draft.mode ?? forecast.data?.proposes ?? 'cooperative'
  const missing = refusal ?? whatIsMissing(draft, forecast.data)
  const what = wordsOf(draft.scope, election?.name, cluster.name)
  const send = () =>
    engage.mutate({
      cluster: cluster.name,
      scopeBase64,
      match,
      mode,
      reason: draft.reason.trim(),
      until: untilOf(draft.until, now),
      typedName: draft.typed,
      operation: newOperation(),
      ...(draft.matchesNothing ? { matchesNothing: true } : {}),
      ...(forecast.data?.outOfSpace && forecast.data.standing ? { withoutRecord: true } : {}),
    })
  return (
    <GuardedDialog
      aside={<StopAside forecast={forecast.data} mode={mode} />}
      buttons={
        <Confirm disabled={missing !== null || engage.isPending} onDone={send} operation={operation} what={what} />
      }
      leave={operation === undefined ? undefined : 'Close'}
      danger
      icon={
        <span className="text-crit">
          <StatusGlyph size={22} status="stopped" />
        </span>
      }
      note={
        operation === undefined
          ? (missing ?? 'Hold the button, or Enter on it, for 2 s. Letting go early sends nothing.')
          : ''
      }
      onOpenChange={onOpenChange}
      open
      leastRole="operator"
      title={`Stop ${what} and hold it stopped`}
    >
      {operation !== undefined && <OutcomeNotice operation={operation} />}
      {operation?.outcome?.is === 'verified' && <Stopping cluster={cluster.name} scopeBase64={scopeBase64} />}
      {engage.error !== null && <Notice tone="crit">Not sent: {engage.error.message}</Notice>}
      {forecast.error !== null && (
        <Notice tone="warn">The scope cannot be read in etcd now: {forecast.error.message}</Notice>
      )}
      {operation === undefined && (
        <StopQuestions change={change} choices={choices} draft={draft} forecast={forecast.data} mode={mode} now={now} />
      )}
    </GuardedDialog>
  )
}

/** Who has stopped, while they do. */
function Stopping({ cluster, scopeBase64 }: { cluster: string; scopeBase64: string }) {
  const { data: proof, error } = useProof({ cluster, scopeBase64 })
  return (
    <>
      {proof && <p className="font-display text-xl">{acknowledgedWords(proof)}</p>}
      <ProofTable cluster={cluster} error={error?.message ?? null} proof={proof ?? null} />
    </>
  )
}

/** "payments/ledger-writer", "everything under /elections/payments/", "all of prod-eu". */
function wordsOf({ match, label }: ScopeChoice, name: string | undefined, cluster: string): string {
  if (match === 'exact') return name ?? cluster
  return label.charAt(0).toLowerCase() + label.slice(1)
}

/** What keeps the button from being pressed; the server asks for the same. */
function whatIsMissing(
  { reason, typed, matchesNothing }: StopDraft,
  forecast: SwitchForecast | undefined,
): string | null {
  if (forecast === undefined) return 'Reading the scope in etcd…'
  if (reason.trim() === '') return 'Give a reason first.'
  if (typed !== forecast.typedName) return 'Type the name first.'
  return forecast.electionCount === 0 && !matchesNothing
    ? 'This scope matches no election: tick that you mean it.'
    : null
}

interface ConfirmProps {
  what: string
  disabled: boolean
  operation: Operation | undefined
  onDone: () => void
}

function Confirm({ what, disabled, operation, onDone }: ConfirmProps) {
  if (operation !== undefined) return null
  return (
    <HoldButton
      again={`Press again to stop ${what}`}
      disabled={disabled}
      holding={`Keep holding to stop ${what}`}
      onDone={onDone}
    >
      Hold to stop {what}
    </HoldButton>
  )
}

interface StopButtonProps {
  refusal: string | null
  onOpen: () => void
}

/** The button that opens it. */
export function StopButton({ refusal, onOpen }: StopButtonProps) {
  return (
    <Opener
      className="edge edge-stopped relative pl-5 [--edge-width:10px]"
      look="danger"
      onOpen={onOpen}
      refusal={refusal}
    >
      <StatusGlyph size={16} status="stopped" /> Kill switch…
    </Opener>
  )
}
