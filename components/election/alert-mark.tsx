import type { Alert } from '../../lib/election/alerts.ts'
import { glyphOf, ruleWords, toneOfSeverity } from './alert-glyph.ts'
import { StatusGlyph } from './status-glyph.tsx'
import { TONE_TEXT } from './status-words.ts'

type Marked = Pick<Alert, 'rule' | 'severity'>

/** Glyph, word and colour of an alert. Screen readers hear how bad it is, which others see by the colour. */
export function AlertMark({ alert: { rule, severity }, isQuiet = false }: { alert: Marked; isQuiet?: boolean }) {
  const look = isQuiet ? 'text-t2' : TONE_TEXT[toneOfSeverity(severity)]
  return (
    <span className={`inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap font-semibold ${look}`}>
      <StatusGlyph status={glyphOf(rule)} />
      <span className="truncate">{ruleWords(rule)}</span>
      <span className="sr-only">, {severity}</span>
    </span>
  )
}
