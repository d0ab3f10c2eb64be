/** One candidate of the model, and what is known of it from outside: what it led, was told, and may believe. */

import type { Txn, TxnAnswer } from '../../election/ports.ts'
import type { LeaseId } from '../../election/types.ts'
import type { FakeClient } from '../../etcd/fake-client.ts'
import { sleep } from '../../shared/abort.ts'
import { latin1 } from '../../shared/bytes.ts'
import { type Candidate, candidateOf } from '../candidate.ts'
import { type CandidateEtcd, type CandidateOptions, type Settings, settingsOf } from '../options.ts'
import type { Leadership } from '../term.ts'

export interface TermRecord {
  leadership: Leadership
  /** When somebody else took its key, its lease or the store from it; null while nobody has. */
  wrongedMs: number | null
  /** An answer that says so has reached it. */
  isRefuted: boolean
  /** As its listeners heard; `leadership.signal` would look at the clock. */
  isToldToEnd: boolean
}

/** A variant of the library, made from outside: by another port or another clock. */
export type Twist = (settings: Settings) => Settings

interface Mark {
  revision: bigint
  epoch: number
}

const NEVER = new AbortController().signal

export class Contestant {
  readonly name: string
  readonly client: FakeClient
  readonly candidate: Candidate
  readonly terms: TermRecord[] = []
  /** Every lease that it was granted. */
  readonly leases = new Set<LeaseId>()
  /** How long its work takes to end once told; it throws then, if it `isTouchy`. */
  lagMs = 0
  isTouchy = false
  /** Calls of its work that have not ended. */
  running = 0
  leading: Promise<void> | null = null
  frozenSinceMs: number | null = null
  /** What it is told meanwhile. */
  readonly untold: (() => void)[] = []
  /** It was shown a revision below one that it had seen, and no higher epoch since. */
  hasSeenRollback = false
  seenRevision = 0n
  seenEpoch = 0
  failure: unknown = null
  private stopping: AbortController | null = null
  private isWanted = false
  onWork: (term: TermRecord) => void = () => {}

  constructor(
    name: string,
    client: FakeClient,
    options: { candidate: Omit<CandidateOptions, 'etcd' | 'identity'>; clock: Settings['clock']; twist: Twist },
  ) {
    this.name = name
    this.client = client
    const settings = settingsOf({ ...options.candidate, identity: name, etcd: this.watched(client) })
    this.candidate = candidateOf(options.twist({ ...settings, clock: options.clock }))
  }

  get term(): TermRecord | undefined {
    return this.terms.at(-1)
  }

  /** Leads whenever it can; a call that is about to end makes room for the next one first. */
  start(): void {
    this.isWanted = true
    if (this.leading !== null) return
    this.stopping = new AbortController()
    this.leading = this.candidate
      .lead((leadership) => this.work(leadership), { signal: this.stopping.signal })
      .catch((error: unknown) => {
        this.failure = error
      })
      .finally(() => {
        this.leading = null
        if (this.isWanted) this.start()
      })
  }

  stop(): void {
    this.isWanted = false
    this.stopping?.abort()
  }

  /** Whether it would write now, when asked in its own process. */
  mayWrite(): boolean {
    try {
      this.term?.leadership.proveStillLeading()
      return this.term !== undefined
    } catch {
      return false
    }
  }

  private async work(leadership: Leadership): Promise<void> {
    const term: TermRecord = { leadership, wrongedMs: null, isRefuted: false, isToldToEnd: false }
    const told = new Promise<void>((resolve) => {
      const hear = () => {
        term.isToldToEnd = true
        resolve()
      }
      if (leadership.signal.aborted) hear()
      else leadership.signal.addEventListener('abort', hear, { once: true })
    })
    this.terms.push(term)
    this.onWork(term)
    this.running += 1
    try {
      await told
      await sleep(this.lagMs, NEVER)
      if (this.isTouchy) throw new Error('told to end')
    } finally {
      this.running -= 1
    }
  }

  /** The client as the candidate has it, with what its answers say written down. */
  private watched(client: FakeClient): CandidateEtcd {
    return {
      endpoints: client.endpoints,
      range: (request, options) => client.range(request, options),
      notice: (span, from, listener) => client.notice(span, from, listener),
      revoke: (lease, options) => client.revoke(lease, options),
      grant: async (ttlSeconds, options) => {
        const granted = await client.grant(ttlSeconds, options)
        this.leases.add(granted.lease)
        return granted
      },
      renew: async (lease, options) => {
        const ttlMs = await client.renew(lease, options)
        if (ttlMs === 0) this.refute(({ lease: own }) => own === lease)
        return ttlMs
      },
      txn: async (txn, options) => {
        const mark = { revision: this.seenRevision, epoch: this.seenEpoch }
        const answer = await client.txn(txn, options)
        this.learn(txn, answer, mark)
        return answer
      },
    }
  }

  private learn({ compare }: Txn, { header, succeeded, ranges }: TxnAnswer, mark: Mark): void {
    const revision = BigInt(header.revision)
    // Asked in a former epoch, it says nothing of this one.
    const isOfNow = mark.epoch === this.seenEpoch
    if (isOfNow && revision < mark.revision) this.hasSeenRollback = true
    if (isOfNow && revision > this.seenRevision) this.seenRevision = revision
    const epochKey = ranges.flat().find(({ key }) => latin1(key) === '/tenure/epoch')
    const epoch = epochKey === undefined ? 0 : epochIn(epochKey.value)
    if (epoch !== null && epoch > this.seenEpoch) {
      this.seenEpoch = epoch
      this.seenRevision = revision
      this.hasSeenRollback = false
    }
    const own = compare.find(({ field, end }) => field === 'lease' && end === undefined)
    const created = compare.find(({ field, end, is }) => field === 'create' && end === undefined && is === 'equal')
    // With a compare of the switches beside it, a refusal may be about those.
    if (!succeeded && own !== undefined && !compare.some(({ end }) => end !== undefined))
      this.refute((seat) => seat.lease === own.to && seat.createRevision === created?.to)
  }

  private refute(isMeant: (seat: { lease: LeaseId | null; createRevision: string }) => boolean): void {
    const { term } = this
    if (term === undefined) return
    const createRevision = term.leadership.token.revision
    const lease = this.leaseOf.get(createRevision) ?? null
    if (isMeant({ lease, createRevision })) term.isRefuted = true
  }

  /** Which lease its key of a create revision was on; the world sees the keys. */
  readonly leaseOf = new Map<string, LeaseId>()
}

function epochIn(value: Uint8Array): number | null {
  try {
    return (JSON.parse(new TextDecoder().decode(value)) as { epoch: number }).epoch
  } catch {
    return null
  }
}
