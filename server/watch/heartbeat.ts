/** Proof of life: one linearizable read a second, and a second opinion when the first is late. */
import { EtcdError, type EtcdErrorKind, type Header, type KvPort, type MemberStatus } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'
import { sleep } from '../../lib/shared/abort.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import { type FreshnessMeter, sentNow } from './freshness.ts'

const EVERY_MS = 1_000
const DEADLINE_MS = 2_000
const HEDGE_AFTER_MS = 600

interface Source extends KvPort {
  readonly endpoints: readonly string[]
  status(endpoint: string, options: { deadlineMs: number; signal?: AbortSignal }): Promise<MemberStatus>
  avoid(endpoint: string): void
}

export interface HeartbeatOptions {
  etcd: Source
  /** A key that the account may read. */
  key: () => Uint8Array
  clock: Clock
  meter: FreshnessMeter
  /** The highest revision seen so far. */
  high: () => Revision
  /** False when the answer proves nothing: it came from another store than the one that is watched. */
  accept: (header: Header, highAtSend: Revision) => boolean
  /** After every answer: what is shown may have to change. */
  onTurn: () => void
}

export async function runHeartbeat(options: HeartbeatOptions, signal: AbortSignal): Promise<void> {
  const { clock } = options
  let due = clock.monoMs()
  let turn = 0
  while (!signal.aborted) {
    void beat(options, turn, signal)
    turn += 1
    due += EVERY_MS
    await sleep(Math.max(0, due - clock.monoMs()), signal)
    // After a pause of the whole process the missed beats are not made up for.
    due = Math.max(due, clock.monoMs() - EVERY_MS)
  }
}

/** One beat: the preferred endpoint, and another one too when it takes long. Never rejects. */
async function beat(options: HeartbeatOptions, turn: number, signal: AbortSignal): Promise<void> {
  const { etcd, meter, clock } = options
  const done = new AbortController()
  const either = AbortSignal.any([signal, done.signal])
  const ask = async (endpoint: string | undefined) => {
    const sent = sentNow(clock)
    const request = { deadlineMs: DEADLINE_MS, signal: either, ...(endpoint ? { endpoint } : {}) }
    const high = options.high()
    const { header } = await etcd.range({ key: options.key(), limit: 1 }, request)
    if (options.accept(header, high)) meter.answered(sent.monoMs, sent.at)
    options.onTurn()
    done.abort()
  }
  const hedge = async () => {
    await sleep(HEDGE_AFTER_MS, either)
    if (either.aborted || etcd.endpoints.length < 2) throw new EtcdError('aborted', 'not needed', '')
    await ask(etcd.endpoints[turn % etcd.endpoints.length])
  }
  try {
    await Promise.any([ask(undefined), hedge()])
  } catch (error) {
    if (!signal.aborted) meter.failed(await diagnose(options, error, signal))
  }
}

async function diagnose(
  { etcd }: HeartbeatOptions,
  error: unknown,
  signal: AbortSignal,
): Promise<{ kind: EtcdErrorKind; message: string }> {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const told = errors.filter((each): each is EtcdError => each instanceof EtcdError && each.kind !== 'aborted')
  const worst = told.find((each) => each.kind !== 'unavailable') ?? told[0]
  if (worst === undefined) return { kind: 'other', message: String(errors[0]) }
  if (worst.kind !== 'deadline' && worst.kind !== 'unavailable') return { kind: worst.kind, message: worst.message }
  // Members that answer by themselves but know no raft leader have lost the quorum; one alone may be cut off.
  const statuses = await Promise.allSettled(
    etcd.endpoints.map((endpoint) => etcd.status(endpoint, { deadlineMs: 500, signal })),
  )
  const answered = statuses.filter((status) => status.status === 'fulfilled')
  const leaderless = answered.length > 0 && answered.every(({ value }) => value.raftLeaderId === '0')
  if (leaderless) return { kind: 'no-quorum', message: worst.message }
  return { kind: answered.length === 0 ? 'unavailable' : worst.kind, message: worst.message }
}
