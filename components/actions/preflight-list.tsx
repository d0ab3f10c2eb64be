import { Check, CircleHelp, X } from 'lucide-react'
import type { PreflightCheck } from '../../lib/election/actions.ts'
import { Label } from './dialog-parts.tsx'

const LOOKS = {
  pass: { Icon: Check, colour: 'text-ok', says: 'passes' },
  fail: { Icon: X, colour: 'text-crit', says: 'fails' },
  unknown: { Icon: CircleHelp, colour: 'text-t2', says: 'not known' },
} as const

/** What was looked at before, and how it was found. */
export function PreflightList({ checks }: { checks: readonly PreflightCheck[] }) {
  const count = (is: PreflightCheck['is']) => checks.filter((check) => check.is === is).length
  const failed = count('fail')
  const unknown = count('unknown')
  const rest = [failed > 0 ? `${failed} fail` : '', unknown > 0 ? `${unknown} unknown` : ''].filter(Boolean)
  return (
    <section aria-label="Preflight">
      <Label hint={[`${count('pass')} of ${checks.length} pass`, ...rest].join(', ')}>Preflight</Label>
      <ul>
        {checks.map(({ id, is, title, words }) => {
          const { Icon, colour, says } = LOOKS[is]
          return (
            <li className="flex gap-2.5 border-line border-t py-1.5" key={id}>
              <Icon aria-hidden="true" className={`mt-0.5 shrink-0 ${colour}`} size={15} strokeWidth={2.25} />
              <p className="words text-sm">
                <b className={is === 'fail' ? 'text-crit' : ''}>{title}</b> <span className="sr-only">({says})</span>{' '}
                <span className="text-t2">{words}</span>
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
