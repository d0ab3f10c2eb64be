import { Check, CircleDashed, CircleHelp, Minus } from 'lucide-react'
import type { Operation, Phase } from '../../lib/election/actions.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { phaseName, phaseOutcome, phaseTime } from './handoff-words.ts'

/** Each phase with its time, how it is known, and by whom. */
export function PhaseList({ operation, now }: { operation: Operation; now: Instant }) {
  return (
    <table className="w-full border-collapse text-left max-sm:block">
      <caption className="sr-only">Phases</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-line2 border-b text-sm text-t2">
          <th className="w-[200px] px-3.5 py-1.5 font-medium">Phase</th>
          <th className="w-[92px] py-1.5 font-medium">Time</th>
          <th className="py-1.5 font-medium">How we know</th>
          <th className="w-[170px] py-1.5 font-medium">Outcome</th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {operation.phases.map((phase) => (
          <Row key={phase.name} now={now} operation={operation} phase={phase} />
        ))}
      </tbody>
    </table>
  )
}

const TONES = { etcd: 'text-ok', reported: 'text-t2', 'not yet': 'text-t2', never: 'text-t2' } as const

function toneOf({ name, known }: Phase, { outcome }: Operation): string {
  const isOpen = name === 'acknowledged' && outcome?.is === 'verified' && (known === 'not yet' || known === 'never')
  return isOpen ? 'text-warn' : TONES[known]
}

function Row({ operation, phase, now }: { operation: Operation; phase: Phase; now: Instant }) {
  const tone = toneOf(phase, operation)
  const tint = tone === 'text-warn' ? 'bg-tint-warn' : ''
  return (
    <tr
      className={`border-line border-b max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-3 max-sm:py-2 sm:h-[46px] ${tint}`}
    >
      <td className="max-sm:p-0 sm:px-3.5">
        <span className="flex items-center gap-2 font-semibold">
          <Glyph phase={phase} tone={tone} />
          {phaseName(phase)}
        </span>
      </td>
      <td className="font-semibold max-sm:order-2 max-sm:text-right">{phaseTime(operation, phase, now)}</td>
      <td className="words py-1 text-sm max-sm:order-4 max-sm:col-span-2 sm:pr-3">{phase.evidence}</td>
      <td className={`font-semibold max-sm:order-3 max-sm:col-span-2 max-sm:pl-[25px] max-sm:text-sm ${tone}`}>
        {phaseOutcome(phase, operation)}
      </td>
    </tr>
  )
}

function Glyph({ phase: { known }, tone }: { phase: Phase; tone: string }) {
  const Icon =
    known === 'etcd' || known === 'reported'
      ? Check
      : tone === 'text-warn'
        ? CircleHelp
        : known === 'never'
          ? Minus
          : CircleDashed
  return <Icon aria-hidden="true" className={`shrink-0 ${tone}`} size={17} strokeWidth={2.25} />
}
