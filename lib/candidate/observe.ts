/** Who leads, for those who only want to know: every answer is a linearizable read, and doubt is told as doubt. */
import type { KeyValue } from '../election/ports.ts'
import { isHeld } from '../election/switches.ts'
import type { LeaseId, Revision } from '../election/types.ts'
import { backoffMs } from '../shared/abort.ts'
import { latin1 } from '../shared/bytes.ts'
import { Bell } from './bell.ts'
import { StoreRolledBackError } from './errors.ts'
import { Keys } from './keys.ts'
import type { Settings } from './options.ts'
import type { Transactions } from './transactions.ts'
import { Triggers } from './triggers.ts'
import type { Witness } from './witness.ts'

export type Observed =
  | { type: 'led'; value: Uint8Array; lease: LeaseId | null; createRevision: Revision }
  | { type: 'vacant' }
  | { type: 'unknown'; reason: string }

const RECHECK_MS = 2_000

export interface ObserveContext {
  settings: Settings
  transactions: Transactions
  witness: Witness
}

export async function* observe(context: ObserveContext, signal: AbortSignal): AsyncGenerator<Observed> {
  const { settings, witness } = context
  const bell = new Bell()
  const triggers = new Triggers(settings.etcd, bell)
  const { seats } = new Keys(settings)
  const { callMs } = settings.timing(settings.ttlSeconds * 1_000)
  let last: Observed | null = null
  let failures = 0
  try {
    while (!signal.aborted) {
      let now: Observed
      try {
        const request = { ...seats, order: 'oldest-first' as const, limit: 1 }
        const mark = witness.mark()
        const { header, kvs } = await settings.etcd.range(request, { deadlineMs: callMs, signal })
        witness.saw(header, mark)
        now = seen(settings, kvs[0])
        triggers.watch([seats], header.revision)
        triggers.ringLater(RECHECK_MS)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        now = { type: 'unknown', reason: error instanceof Error ? error.message : String(error) }
        if (error instanceof StoreRolledBackError) await adoptEpoch(context).catch(() => {})
        triggers.ringLater(backoffMs(failures, 100, 1_000))
        failures += 1
      }
      if (!isSame(last, now)) yield now
      last = now
      await bell.nextOr(signal)
    }
  } finally {
    triggers.close()
  }
}

/** A restored store names leaders of the past: it is believed again once its epoch was raised. */
async function adoptEpoch({ transactions, witness }: ObserveContext): Promise<void> {
  const { header, epoch, mark } = await transactions.epochNow()
  witness.adopt(header, epoch, mark)
}

/** A generator hears `return` only at its next value, and nothing may change for days: the look must end at once. */
export function stoppable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T>,
  outer?: AbortSignal | null,
): AsyncIterableIterator<T> {
  const own = new AbortController()
  const values = start(outer ? AbortSignal.any([outer, own.signal]) : own.signal)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => values.next(),
    return: (value) => {
      own.abort()
      return values.return(value)
    },
  }
}

/** A key deeper under a queue's prefix belongs to another election: it blocks this one, and nobody leads. */
function seen({ layout, prefix }: Settings, head: KeyValue | undefined): Observed {
  if (head === undefined) return { type: 'vacant' }
  if (layout === 'queue' && latin1(head.key).indexOf('/', prefix.length) >= 0) return { type: 'vacant' }
  // Held stopped by a kill switch: whoever wrote the key before leads no more.
  if (isHeld(head)) return { type: 'vacant' }
  const { value, lease, createRevision } = head
  return { type: 'led', value, lease, createRevision }
}

function isSame(a: Observed | null, b: Observed): boolean {
  if (a?.type !== b.type) return false
  if (a.type !== 'led' || b.type !== 'led') return true
  return a.createRevision === b.createRevision && a.lease === b.lease && latin1(a.value) === latin1(b.value)
}
