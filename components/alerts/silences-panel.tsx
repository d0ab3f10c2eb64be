'use client'
import { useState } from 'react'
import type { Alert, Silence } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import { Panel } from '../failovers/panel.tsx'
import { useEndSilence } from '../live/alerts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { fitsWords, silenceState, silenceWords } from './alert-words.ts'
import { SilenceDialog } from './silence-dialog.tsx'
import { SmallOpener } from './small-opener.tsx'

interface SilencesProps {
  silences: readonly Silence[] | undefined
  alerts: readonly Alert[]
  now: Instant
  refusal: string | null
}

export function SilencesPanel({ silences, alerts, now, refusal }: SilencesProps) {
  const [isAdding, setIsAdding] = useState(false)
  const [ending, setEnding] = useState<Silence | null>(null)
  const holding = (silences ?? []).filter((silence) => silenceState(silence, now) === 'holds')
  const over = (silences ?? []).filter((silence) => silenceState(silence, now) !== 'holds')
  return (
    <Panel
      action={
        <SmallOpener onOpen={() => setIsAdding(true)} refusal={refusal}>
          Silence alerts…
        </SmallOpener>
      }
      title="Silences"
    >
      {silences === undefined && <p className="border-line border-t py-2 text-t3">–</p>}
      {silences !== undefined && holding.length === 0 && (
        <p className="border-line border-t py-2 text-sm text-t2">None holds.</p>
      )}
      <ul>
        {holding.map((silence) => (
          <Row key={silence.id} now={now} onEnd={() => setEnding(silence)} refusal={refusal} silence={silence} />
        ))}
        {over.map((silence) => (
          <Row key={silence.id} now={now} silence={silence} />
        ))}
      </ul>
      {isAdding && <SilenceDialog alert={null} alerts={alerts} onClose={() => setIsAdding(false)} />}
      {ending !== null && <EndDialog alerts={alerts} onClose={() => setEnding(null)} silence={ending} />}
    </Panel>
  )
}

interface RowProps {
  silence: Silence
  now: Instant
  refusal?: string | null
  onEnd?: () => void
}

function Row({ silence, now, refusal = null, onEnd }: RowProps) {
  const isOver = onEnd === undefined
  return (
    <li
      className={`flex items-start gap-3 border-line border-t py-2 text-sm ${isOver ? 'text-t2' : ''}`}
      data-silence={silence.id}
    >
      <div className="min-w-0 flex-1">
        <p className={`words wrap-anywhere ${isOver ? '' : 'font-semibold'}`}>{fitsWords(silence)}</p>
        <p className="text-t2">{silenceWords(silence, now)}</p>
        <p className="words wrap-anywhere text-t2">
          {silence.by}: {silence.comment}
        </p>
      </div>
      {onEnd !== undefined && (
        <SmallOpener onOpen={onEnd} refusal={refusal}>
          End…<span className="sr-only"> the silence of {fitsWords(silence)}</span>
        </SmallOpener>
      )}
    </li>
  )
}

interface EndDialogProps {
  silence: Silence
  alerts: readonly Alert[]
  onClose: () => void
}

function EndDialog({ silence, alerts, onClose }: EndDialogProps) {
  const end = useEndSilence()
  const held = alerts.filter((alert) => alert.silence === silence.id && alert.stage === 'firing').length
  return (
    <Dialog onOpenChange={onClose} open title="End the silence">
      <div className="space-y-3 px-6 py-4">
        {end.error !== null && <Notice tone="crit">Not ended: {end.error.message}</Notice>}
        <p className="words wrap-anywhere">
          <b>{fitsWords(silence)}</b>, silenced by {silence.by}: {silence.comment}
        </p>
        <p className="text-t2">
          {held === 0
            ? 'It keeps nothing from being told now.'
            : `${count(held, 'alert that fires', 'alerts that fire')} may be told at once.`}
        </p>
      </div>
      <footer className="flex justify-end gap-3 border-line border-t px-6 py-3.5">
        <Button className="max-sm:h-11" onClick={onClose}>
          Cancel
        </Button>
        <Button
          className="max-sm:h-11"
          disabled={end.isPending}
          onClick={() => end.mutate({ id: silence.id }, { onSuccess: onClose })}
          variant="primary"
        >
          End it now
        </Button>
      </footer>
    </Dialog>
  )
}
