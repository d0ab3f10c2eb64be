/** Candidates over the fake etcd in virtual time, for tests that say step by step what happens. */
import { afterEach, beforeEach, vi } from 'vitest'
import type { Op, Txn, TxnAnswer } from '../election/ports.ts'
import type { LeaseId } from '../election/types.ts'
import { FakeEtcd } from '../etcd/fake-etcd.ts'
import type { Fate } from '../etcd/fake-network.ts'
import { VirtualTime } from '../etcd/virtual-time.ts'
import { sleep } from '../shared/abort.ts'
import { fromLatin1, latin1, utf8 } from '../shared/bytes.ts'
import { type Candidate, candidateOf } from './candidate.ts'
import { type CandidateEtcd, type CandidateOptions, type Settings, settingsOf } from './options.ts'
import type { Work } from './running.ts'
import type { Leadership } from './term.ts'

export interface Entered {
  candidate: Candidate
  states: string[]
  troubles: string[]
  calls: Leadership[]
  /** How `lead` ended: undefined while it runs, null when it resolved. */
  ended: unknown
  stop(): void
}

export interface EnterOptions extends Partial<CandidateOptions> {
  work?: Work
  /** Awaited before the candidate hears an answer. */
  onAnswer?: (txn: Txn, answer: TxnAnswer) => Promise<void> | void
}

export const TTL_MS = 3_000
const NEVER = new AbortController().signal

export class Scene {
  readonly time = new VirtualTime()
  readonly etcd = new FakeEtcd(this.time)
  fate: Fate = { requestMs: 1, answerMs: 1 }

  constructor() {
    this.etcd.network = { call: () => this.fate, notice: () => ({ delayMs: 1 }), keepsParked: () => true }
    this.put('/tenure/note', 'a dashboard is here')
  }

  settings(name: string, options: EnterOptions = {}): Settings {
    const clock = { nowMs: () => this.time.monoMs(), monoMs: () => this.time.monoMs() }
    const given = { election: 'job', identity: name, ttlSeconds: TTL_MS / 1_000, ...options }
    return { ...settingsOf({ ...given, etcd: this.port(name, options.onAnswer) }), clock }
  }

  enter(name: string, options: EnterOptions = {}): Entered {
    const entered: Omit<Entered, 'candidate'> = {
      states: [],
      troubles: [],
      calls: [],
      ended: undefined,
      stop: () => {},
    }
    const onTrouble = (error: Error) => entered.troubles.push(error.message)
    const candidate = candidateOf(this.settings(name, { onTrouble, ...options }))
    candidate.onState((state) => entered.states.push(state))
    const stopping = new AbortController()
    const work: Work = async (leadership) => {
      entered.calls.push(leadership)
      await (options.work ?? untilTold)(leadership)
    }
    this.time
      .as(name, () => candidate.lead(work, { signal: stopping.signal }))
      .then(
        () => Object.assign(all, { ended: null }),
        (error: unknown) => Object.assign(all, { ended: error }),
      )
    const all: Entered = Object.assign(entered, { candidate, stop: () => this.time.as(name, () => stopping.abort()) })
    return all
  }

  run(ms: number): Promise<void> {
    return this.time.run(ms)
  }

  put(key: string, value: string, lease: LeaseId | null = null): string {
    return this.write({ type: 'put', key: fromLatin1(key), value: utf8(value), lease })
  }

  remove(key: string): void {
    this.write({ type: 'delete', key: fromLatin1(key) })
  }

  engage(scope = 'job/', state: 'engaged' | 'released' = 'engaged'): void {
    this.put(`/tenure/switch/${scope}`, JSON.stringify({ ...RECORD, state }))
  }

  /** Keys under a prefix, the oldest first. */
  keys(prefix = 'job'): string[] {
    const kvs = this.etcd.store.all().filter(({ key }) => latin1(key).startsWith(prefix))
    kvs.sort((a, b) => Number(BigInt(a.createRevision) - BigInt(b.createRevision)))
    return kvs.map(({ key }) => latin1(key))
  }

  text(key: string): string {
    return new TextDecoder().decode(this.etcd.store.get(key)?.value)
  }

  presence(): { state: string; lastResign: { reason: string } | null; switchNonces: string[] }[] {
    return this.keys('/tenure/presence/').map((key) => JSON.parse(this.text(key)))
  }

  private port(name: string, onAnswer: EnterOptions['onAnswer']): CandidateEtcd {
    const client = this.etcd.client(name)
    return {
      endpoints: client.endpoints,
      range: (request, options) => client.range(request, options),
      notice: (span, from, listener) => client.notice(span, from, listener),
      grant: (ttlSeconds, options) => client.grant(ttlSeconds, options),
      renew: (lease, options) => client.renew(lease, options),
      revoke: (lease, options) => client.revoke(lease, options),
      txn: async (txn, options) => {
        const answer = await client.txn(txn, options)
        await onAnswer?.(txn, answer)
        return answer
      },
    }
  }

  private write(op: Op): string {
    return this.etcd.store.txn({ compare: [], success: [op] }, 'somebody').header.revision
  }
}

const RECORD = {
  v: 1,
  reason: 'a test',
  by: 'anna',
  at: '2026-01-01T00:00:00.000Z',
  until: '2026-01-02T00:00:00.000Z',
  nonce: 'n1',
  operation: 'o1',
  match: 'prefix',
}

/** A work that ends when told. */
export function untilTold({ signal }: Leadership): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

export const pause = (ms: number) => sleep(ms, NEVER)

/** A new scene for each test, with its time in the place of the global timers. */
export function sceneForEachTest(): () => Scene {
  let scene: Scene
  beforeEach(() => {
    scene = new Scene()
    vi.stubGlobal('setTimeout', scene.time.setTimeout)
    vi.stubGlobal('clearTimeout', scene.time.clearTimeout)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })
  return () => scene
}

export const isWinCheck = ({ success }: Txn) => success.length === 5
export const isProof = ({ success, compare }: Txn) => success.length === 3 && compare.length === 2
