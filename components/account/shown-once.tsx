'use client'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { Notice } from '../ui/notice.tsx'

/** A secret in the only moment in which it can be seen. */
export function ShownOnce({ label, secret, onDone }: { label: string; secret: string; onDone: () => void }) {
  const [copied, setCopied] = useState(false)
  return (
    <Notice tone="ok">
      <p className="words font-semibold">{label}</p>
      <p className="bytes my-2 select-all break-all">{secret}</p>
      <p className="flex gap-2">
        <Button onClick={() => void copyText(secret).then(setCopied)} size="sm">
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onDone} size="sm" variant="quiet">
          Done
        </Button>
      </p>
    </Notice>
  )
}
