'use client'
import { type FormEvent, useId, useState } from 'react'
import type { Alert } from '../../lib/election/alerts.ts'
import { AlertMark } from '../election/alert-mark.tsx'
import { useAcknowledge } from '../live/alerts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { CommentField } from './comment-field.tsx'

/** Somebody has it in hand: it stays, and reminders of it end. */
export function AcknowledgeDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const form = useId()
  const [comment, setComment] = useState('')
  const acknowledge = useAcknowledge()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    acknowledge.mutate({ id: alert.id, comment: comment.trim() }, { onSuccess: onClose })
  }
  return (
    <Dialog onOpenChange={onClose} open title={`Acknowledge ${alert.subject}`}>
      <form className="space-y-4 overflow-y-auto px-6 py-4" id={form} onSubmit={submit}>
        <p className="words flex flex-wrap items-center gap-x-2">
          <AlertMark alert={alert} /> <span className="text-t2">{alert.summary}</span>
        </p>
        {acknowledge.error !== null && <Notice tone="crit">Not acknowledged: {acknowledge.error.message}</Notice>}
        <CommentField hint="optional, for everybody who looks" isFirst onChange={setComment} value={comment} />
        <p className="text-sm text-t2">
          It goes on firing until it is over; acknowledged, it is out of the counts, and nobody is reminded of it.
        </p>
      </form>
      <footer className="flex justify-end gap-3 border-line border-t px-6 py-3.5">
        <Button className="max-sm:h-11" onClick={onClose}>
          Cancel
        </Button>
        <Button className="max-sm:h-11" disabled={acknowledge.isPending} form={form} type="submit" variant="primary">
          Acknowledge
        </Button>
      </footer>
    </Dialog>
  )
}
