/** What came out, in words. */
import type { Counts } from './compare.ts'
import { type MemoryReport, tellMemory } from './memory.ts'
import type { Deal, Difference } from './model.ts'

const AROUND_MS = 15_000

export interface Outcome {
  seed: number
  durationMs: number
  etcdVersion: string
  revisions: number
  events: number
  counts: Counts
  samples: { page: number; pageLive: number; api: number; apiLive: number }
  deals: readonly Deal[]
  restarts: number
  memory: MemoryReport
  differences: readonly Difference[]
}

const time = (ms: number) => new Date(ms).toISOString().slice(11, 23)

function faultsOf(deals: readonly Deal[]): string {
  const counts = new Map<string, number>()
  for (const { what } of deals) counts.set(what, (counts.get(what) ?? 0) + 1)
  return [...counts].map(([what, count]) => (count === 1 ? what : `${what} ×${count}`)).join(', ')
}

/** The difference itself, and which faults were about then. */
export function tellDifference(difference: Difference, deals: readonly Deal[]): string {
  const { kind, prefix, message, atMs, detail } = difference
  const around = deals.filter(({ fromMs, toMs }) => fromMs <= atMs + AROUND_MS && (toMs || fromMs) >= atMs - AROUND_MS)
  const faults = around.map(({ what, fromMs, toMs }) => `    ${time(fromMs)} – ${time(toMs || fromMs)}  ${what}`)
  return [
    `${kind} in ${prefix} at ${time(atMs)}: ${message}`,
    JSON.stringify(detail, undefined, 2).replace(/^/gm, '    '),
    `  the harness did within ${AROUND_MS / 1000} s of it:`,
    ...faults,
  ].join('\n')
}

export function tell(outcome: Outcome): string {
  const { seed, durationMs, etcdVersion, revisions, events, counts, samples, deals, restarts, differences } = outcome
  const [first] = differences
  const kinds = new Map<string, number>()
  for (const { kind } of differences) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const lines = [
    `soak: seed ${seed}, ${Math.round(durationMs / 1000)} s, etcd ${etcdVersion}, server killed ${restarts} times`,
    `did:  ${faultsOf(deals)}`,
    `etcd: ${revisions} revisions, ${events} events; Tenure told ${counts.eventsTold} of ${counts.trueEvents} that count`,
    `terms: ${counts.trueTerms} true, ${counts.exact} matched to the tolerance, ${counts.edge} with an edge in a gap, ${counts.unseen} wholly in gaps`,
    `causes: ${counts.judged} decidable, ${counts.named} named, the others told as unobserved`,
    `views: page live in ${samples.pageLive} of ${samples.page} samples, list live in ${samples.apiLive} of ${samples.api}`,
    tellMemory(outcome.memory),
  ]
  if (first === undefined) return [...lines, `no lie found (seed ${seed})`].join('\n')
  const summary = [...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')
  return [...lines, `DIFFERENCES: ${summary}. The first:`, tellDifference(first, deals), `seed ${seed}`].join('\n')
}
