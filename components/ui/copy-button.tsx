'use client'
import { useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'

/** Puts the whole text on the clipboard, and says whether that worked. */
export function CopyButton({ text }: { text: string }) {
  const [outcome, setOutcome] = useState('Copy')
  return (
    <Button
      onClick={async () => setOutcome((await copyText(text)) ? 'Copied' : 'Copying refused')}
      size="sm"
      variant="quiet"
    >
      <span aria-live="polite">{outcome}</span>
    </Button>
  )
}
