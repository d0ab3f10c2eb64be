/** What was measured, a line a case, told together when a suite has ended. */

import { quantile } from './judge.ts'
import type { Judgement } from './record.ts'

const lines: string[] = []

export const shownMs = (ms: number) =>
  ms < 1_000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1_000).toFixed(2)} s`

/** Median, 99th percentile and highest of some values. */
export function spread(values: readonly number[]): string {
  const of = (share: number) => shownMs(quantile(values, share))
  return values.length === 0 ? 'none' : `p50 ${of(0.5)}, p99 ${of(0.99)}, max ${of(1)} (n ${values.length})`
}

export function note(name: string, text: string): void {
  lines.push(`  ${name}: ${text}`)
}

export function noteJudgement(name: string, judgement: Judgement): void {
  const { terms, attempts, rejected, heldBack, failoversMs, overlapsMs } = judgement
  const figures = [
    `${terms} terms`,
    `${attempts} writes, ${rejected} rejected`,
    ...(heldBack > 0 ? [`${heldBack} held back`] : []),
    ...(failoversMs.length > 3 ? [`failover ${spread(failoversMs)}`] : []),
    ...(failoversMs.length > 0 && failoversMs.length <= 3 ? [`failover ${failoversMs.map(shownMs).join(', ')}`] : []),
    `longest overlap ${shownMs(Math.max(0, ...overlapsMs))}`,
  ]
  note(name, figures.join(' · '))
}

export function tellFigures(suite: string): void {
  process.stdout.write(`\n${suite}\n${lines.splice(0).join('\n')}\n`)
}
