'use client'
import { type ReactNode, useState } from 'react'
import type { Operation } from '../../lib/election/actions.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { GuardedDialog } from './guarded-dialog.tsx'
import { OutcomeNotice } from './outcome-notice.tsx'
import { ReasonField } from './reason-field.tsx'
import { TypedName } from './typed-name.tsx'

interface AdminDialogProps {
  onClose: () => void
  icon: ReactNode
  title: string
  /** What it means, before it is done. */
  children: ReactNode
  /** On the button: the effect. */
  effect: string
  typedName?: string
  sent: { data: Operation | undefined; error: { message: string } | null; isPending: boolean }
  onSend: (reason: string) => void
}

/** Something that an admin says of what is in etcd. Nothing is written there. */
export function AdminDialog(props: AdminDialogProps) {
  const { onClose, icon, title, children, effect, typedName, sent, onSend } = props
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const operation = sent.data
  const missing =
    reason.trim() === ''
      ? 'Give a reason first.'
      : typedName !== undefined && typed !== typedName
        ? 'Type the name first.'
        : null
  return (
    <GuardedDialog
      buttons={
        operation === undefined && (
          <Button
            className="h-auto min-h-11 whitespace-normal max-sm:w-full"
            disabled={missing !== null || sent.isPending}
            onClick={() => onSend(reason.trim())}
            variant="primary"
          >
            {effect}
          </Button>
        )
      }
      leave={operation === undefined ? undefined : 'Close'}
      icon={icon}
      leastRole="admin"
      note={operation === undefined ? (missing ?? 'Nothing is sent until you press the button.') : ''}
      onOpenChange={onClose}
      open
      title={title}
    >
      {operation !== undefined && <OutcomeNotice operation={operation} />}
      {sent.error !== null && <Notice tone="crit">Not done: {sent.error.message}</Notice>}
      {operation === undefined && (
        <>
          <div className="words space-y-2 text-t2">{children}</div>
          <ReasonField hint="required, kept in the audit log" onChange={setReason} value={reason} />
          {typedName !== undefined && (
            <TypedName label="Type the name" name={typedName} onChange={setTyped} value={typed} />
          )}
        </>
      )}
    </GuardedDialog>
  )
}
