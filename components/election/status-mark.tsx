import type { Status } from '../../lib/election/status.ts'
import { StatusGlyph } from './status-glyph.tsx'
import { STATUS_WORDS, TONE_TEXT, toneOf } from './status-words.ts'

/** Glyph, word and colour of a status; `compact` keeps the word for screen readers only. */
export function StatusMark({ status, compact = false }: { status: Status; compact?: boolean }) {
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap font-semibold ${TONE_TEXT[toneOf(status)]}`}>
      <StatusGlyph status={status} />
      <span className={compact ? 'sr-only' : status === 'stopped' ? 'text-t1' : undefined}>{STATUS_WORDS[status]}</span>
    </span>
  )
}
