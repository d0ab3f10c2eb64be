'use client'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import type { Operation } from '../../lib/election/actions.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { useOperation } from '../live/actions.ts'
import { useServerNow } from '../live/use-live.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { Notice } from '../ui/notice.tsx'
import type { ColourOf } from './dialog-parts.tsx'
import { GuardedDialog } from './guarded-dialog.tsx'
import { HandoffTimeline } from './handoff-timeline.tsx'
import { nameOf, timelineText, verdictOf } from './handoff-words.ts'
import { PhaseList } from './phase-list.tsx'

interface ProgressProps {
  id: string
  name: string
  colourOf: ColourOf
  onClose: () => void
  /** Opens the dialog anew, with the forced method chosen. */
  onForce: () => void
}

/** What becomes of a handoff, phase by phase. Closing it cancels nothing. */
export function HandoffProgress({ id, name, colourOf, onClose, onForce }: ProgressProps) {
  const { data: operation, error, refetch } = useOperation(id)
  const now = useServerNow(4)
  const title = titleOf(name, operation)
  return (
    <GuardedDialog
      buttons={
        operation && <Buttons again={() => void refetch()} onForce={onForce} operation={operation} title={title} />
      }
      icon={<ArrowLeftRight aria-hidden="true" className="shrink-0" size={20} />}
      leave="Close"
      note="Closing this window cancels nothing. The record stays in Audit."
      onOpenChange={(open) => open || onClose()}
      open
      title={title}
    >
      {operation !== undefined && now !== null ? (
        <Body colourOf={colourOf} now={now} operation={operation} />
      ) : error === null ? (
        <p className="min-h-40 text-t2" role="status">
          Asking Tenure…
        </p>
      ) : (
        <NotKnown again={() => void refetch()} id={id} />
      )}
    </GuardedDialog>
  )
}

function titleOf(name: string, operation: Operation | undefined): string {
  const handoff = operation?.handoff
  if (operation === undefined || handoff === undefined) return `Handing off ${name}`
  const next = handoff.successor ?? handoff.to
  const done = operation.outcome?.is === 'verified' ? 'Handed off' : 'Handing off'
  return `${done} ${name} from ${nameOf(handoff.from)}${next === null ? '' : ` to ${nameOf(next)}`}`
}

const TONES = { ok: 'text-t1', plain: 'text-t1', warn: 'text-t1', crit: 'text-crit' } as const

function Body({ operation, now, colourOf }: { operation: Operation; now: Instant; colourOf: ColourOf }) {
  const { strong, doubt, tone } = verdictOf(operation, now)
  const { handoff, warnings, outcome } = operation
  const isOpen = tone === 'warn' && outcome?.is === 'verified' && handoff !== undefined
  return (
    <>
      <p aria-live="polite" className="words font-display text-2xl text-t2 max-sm:text-lg">
        {strong !== '' && <b className={TONES[tone]}>{strong}</b>}{' '}
        {doubt !== '' && <b className={tone === 'warn' ? 'text-warn' : 'font-normal'}>{doubt}</b>}
      </p>
      <HandoffTimeline colourOf={colourOf} now={now} operation={operation} />
      <PhaseList now={now} operation={operation} />
      {warnings.map((warning) => (
        <Notice key={warning} tone="crit">
          <p className="words">{warning}</p>
        </Notice>
      ))}
      {isOpen && (
        <p className="words text-sm text-t2">
          <b className="text-t1">If it stays unknown:</b> writes carrying token{' '}
          <span className="bytes">{groupDigits(handoff.from.token)}</span> may still arrive. A store that checks fencing
          tokens refuses them
          {handoff.successor !== null && (
            <>
              , since <span className="bytes">{groupDigits(handoff.successor.token)}</span> is newer
            </>
          )}
          .
        </p>
      )}
      <p className="text-sm text-t2">
        Action <span className="bytes break-all">{operation.id}</span>
      </p>
    </>
  )
}

interface ButtonsProps {
  operation: Operation
  title: string
  again: () => void
  onForce: () => void
}

function Buttons({ operation, title, again, onForce }: ButtonsProps) {
  const [copied, setCopied] = useState(false)
  const { outcome, handoff } = operation
  const copy = async () => setCopied(await copyText(timelineText(operation, title)))
  return (
    <>
      <Button className="h-11 max-sm:grow" onClick={copy}>
        {copied ? 'Copied' : 'Copy timeline'}
      </Button>
      {outcome?.is === 'unknown' && (
        <Button className="h-11 max-sm:grow" onClick={again}>
          Check again
        </Button>
      )}
      {outcome?.is === 'failed' && handoff?.method === 'ask' && (
        <Button className="h-11 border-crit text-crit max-sm:w-full" onClick={onForce}>
          Revoke {nameOf(handoff.from)}’s session…
        </Button>
      )}
    </>
  )
}

function NotKnown({ id, again }: { id: string; again: () => void }) {
  return (
    <Notice tone="crit">
      <p className="words">
        <b>Unknown.</b> Tenure did not answer for action <span className="bytes break-all">{id}</span>: it may have been
        done, or never have arrived. The election shows who leads.
      </p>
      <Button className="mt-2 max-sm:h-11" onClick={again}>
        Check again
      </Button>
    </Notice>
  )
}
