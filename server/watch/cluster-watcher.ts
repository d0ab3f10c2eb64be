/** Watches one cluster: list at one revision, follow from the next, resume, and re-list when in doubt. */
import { ZERO } from '../../lib/election/ids.ts'
import type { LayoutPattern } from '../../lib/election/layouts.ts'
import { type Etcd, EtcdError, type Header } from '../../lib/election/ports.ts'
import type { Cluster, Gap, Revision } from '../../lib/election/types.ts'
import { backoffMs, sleep } from '../../lib/shared/abort.ts'
import { base64FromLatin1, escapeLatin1, fromLatin1, latin1 } from '../../lib/shared/bytes.ts'
import { type Clock, type Instant, instant } from '../../lib/shared/clock.ts'
import type { History } from '../history/history.ts'
import { ClusterInfo } from './cluster-info.ts'
import { ElectionIndex, type Found } from './election-index.ts'
import { Elections } from './elections.ts'
import { type Cursor, followEvents } from './event-stream.ts'
import { FreshnessMeter } from './freshness.ts'
import { runHeartbeat } from './heartbeat.ts'
import type { Hub } from './hub.ts'
import { recordOf } from './key-tree.ts'
import { LeaseWatch } from './lease-watch.ts'
import { listKeys, rangeOf } from './list-keys.ts'
import type { Log } from './log.ts'
import { Members } from './members.ts'
import { runProbe } from './probe.ts'
import { mergePrefixes } from './watched-prefixes.ts'

const LIST_DEADLINE_MS = 15_000
const CHORES_EVERY_MS = 500

export interface WatcherOptions {
  name: string
  /** latin1 */
  watch: readonly string[]
  /** latin1 */
  metaPrefix: string
  layouts: readonly LayoutPattern[]
  readOnly: boolean
  probe: boolean
  etcd: Etcd
  history: History
  hub: Hub
  clock: Clock
  log: Log
}

export class ClusterWatcher {
  readonly elections: Elections
  readonly members: Members
  readonly leases: LeaseWatch
  private readonly options: WatcherOptions
  private readonly index: ElectionIndex
  private readonly meter: FreshnessMeter
  private readonly info: ClusterInfo
  private readonly stopping = new AbortController()
  private readonly prefixes: readonly string[]
  private cursors: Cursor[] = []
  private listed = false
  private running: Promise<unknown> = Promise.resolve()
  /** From the first list request to the first snapshot, for the log and the bench. */
  coldStartMs: number | null = null

  constructor(options: WatcherOptions) {
    this.options = options
    this.prefixes = mergePrefixes(options.watch)
    this.index = new ElectionIndex(options.layouts, options.metaPrefix)
    this.meter = new FreshnessMeter(options.clock)
    this.members = new Members(options.etcd)
    this.elections = new Elections({
      info: emptyInfo(options),
      index: this.index,
      history: options.history,
      hub: options.hub,
      clock: options.clock,
      onPending: (ref, term, before) => this.leases.explain(ref, term, before),
    })
    const { elections, members, meter } = this
    this.leases = new LeaseWatch({ ...options, elections, members })
    this.info = new ClusterInfo({ ...options, elections, members, meter, leases: this.leases })
  }

  start(): void {
    const { signal } = this.stopping
    this.running = Promise.all([
      this.follow(signal),
      this.beat(signal),
      this.chores(signal),
      this.leases.run(signal),
      ...this.probes(signal),
    ])
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  heartbeatAgeMs(): number {
    return this.meter.ageMs()
  }

  /** The whole value of one key, read from etcd now; null when the key is not there. */
  async valueOf(key: Uint8Array): Promise<Uint8Array | null> {
    const { kvs } = await this.options.etcd.range(
      { key, limit: 1 },
      { deadlineMs: 5_000, signal: this.stopping.signal },
    )
    return kvs[0]?.value ?? null
  }

  /** Re-reads the members, at most as often as somebody looks. */
  async lookAtMembers(): Promise<void> {
    await this.members.refresh(this.stopping.signal)
  }

  private async follow(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const startedMs = this.options.clock.monoMs()
      try {
        if (!this.listed) await this.list(signal)
        await followEvents(this.options.etcd, this.cursors, signal, {
          current: () => this.watching(),
          revision: (group) => this.elections.revision(group, instant(this.options.clock.nowMs())),
        })
      } catch (error) {
        if (signal.aborted) return
        const steadyMs = this.options.clock.monoMs() - startedMs
        failures = steadyMs > 10_000 ? 0 : failures + 1
        this.broke(error)
        await sleep(backoffMs(failures), signal)
      }
    }
  }

  private watching(): void {
    this.meter.watching()
    this.info.resolved('watch')
    this.info.updateIfTurned()
  }

  private broke(error: unknown): void {
    const { etcd } = this.options
    const reason = error instanceof Error ? error.message : String(error)
    this.meter.notWatching(reason)
    this.info.trouble('watch', reason)
    if (!(error instanceof EtcdError)) this.listed = false
    else if (error.kind === 'compacted' || error.kind === 'future-revision') this.listed = false
    else if (error.endpoint !== '') etcd.avoid(error.endpoint)
  }

  /** Reads everything at one revision; the cursors then stand there. */
  private async list(signal: AbortSignal): Promise<void> {
    const { clock, etcd } = this.options
    const startedMs = clock.monoMs()
    const first = this.coldStartMs === null
    const blindSince = this.meter.blindSince() ?? instant(clock.nowMs())
    let at: Revision | undefined
    const found: Found[] = []
    for (const prefix of this.prefixes) {
      const entries: [string, ReturnType<typeof recordOf>][] = []
      const range = rangeOf(fromLatin1(prefix))
      for await (const page of listKeys(etcd, range, { deadlineMs: LIST_DEADLINE_MS, signal, ...(at ? { at } : {}) })) {
        at ??= page.header.revision
        for (const kv of page.kvs) entries.push([latin1(kv.key), recordOf(kv)])
      }
      found.push(...this.index.replace(prefix, entries))
    }
    if (at === undefined) throw new EtcdError('other', 'no prefix is watched', '')
    const revision = at
    this.cursors = this.prefixes.map((prefix) => ({ range: rangeOf(fromLatin1(prefix)), seen: revision }))
    const moment = { at: instant(clock.nowMs()), revision }
    if (first) await this.openAll(found, moment)
    else this.reopen(found, moment, { from: blindSince, to: moment.at, reason: 'events were compacted or lost' })
    this.listed = true
    if (first) this.coldStartMs = clock.monoMs() - startedMs
    this.options.log.info(
      {
        cluster: this.options.name,
        keys: this.index.keys,
        elections: found.length,
        revision,
        ms: Math.round(clock.monoMs() - startedMs),
      },
      first ? 'listed' : 'listed again',
    )
  }

  private async openAll(found: readonly Found[], moment: { at: Instant; revision: Revision }): Promise<void> {
    const { history, name } = this.options
    const known = await history.load(name, moment.at)
    const fresh = new Set(known.elections.map(({ ref }) => ref))
    const unknown = found.map(({ ref }) => ref).filter((ref) => !fresh.has(ref))
    const seeds = await history.seeds(name, unknown, moment.at)
    if (known.downtime !== null) this.info.addGap(known.downtime)
    this.elections.open(found, known.elections, seeds, moment)
  }

  private reopen(found: readonly Found[], moment: { at: Instant; revision: Revision }, gap: Gap): void {
    this.options.history.recordGap(this.options.name, gap)
    this.elections.relist(found, moment, gap)
  }

  private beat(signal: AbortSignal): Promise<void> {
    const { etcd, clock } = this.options
    const key = fromLatin1(this.prefixes[0] || '/')
    return runHeartbeat({ etcd, clock, key, meter: this.meter, onAnswer: (header) => this.answered(header) }, signal)
  }

  private answered(header: Header): void {
    if (this.info.answered(header)) void this.members.refresh(this.stopping.signal)
    this.info.updateIfTurned()
  }

  private async chores(signal: AbortSignal): Promise<void> {
    await this.members.refresh(signal)
    for (let turn = 0; !signal.aborted; turn += 1) {
      this.leases.track()
      this.info.update()
      if (turn % 120 === 119) this.elections.forgetEmpty()
      await sleep(CHORES_EVERY_MS, signal)
    }
  }

  private probes(signal: AbortSignal): Promise<void>[] {
    const { etcd, clock, probe, readOnly } = this.options
    if (!probe || readOnly) return []
    return etcd.endpoints.map((endpoint) =>
      runProbe(
        {
          etcd,
          clock,
          endpoint,
          onRtt: (rttMs) => this.info.probed(endpoint, rttMs),
          onSilence: () => this.members.noteRtt(endpoint, null),
        },
        signal,
      ),
    )
  }
}

function emptyInfo(options: WatcherOptions): Cluster {
  return {
    name: options.name,
    clusterId: '',
    revision: ZERO,
    epoch: 0,
    freshness: 'unreachable',
    asOf: null,
    quorum: false,
    reason: 'waiting for the first answer of etcd',
    watched: options.watch.map((prefix) => ({ prefix: escapeLatin1(prefix), prefixBase64: base64FromLatin1(prefix) })),
    readOnly: options.readOnly,
    members: [],
    probeP95Ms: null,
    raftTerm: '0',
    raftLeaderChanges: [],
    gaps: [],
    sampling: { leaders: 0, sampled: 0 },
  }
}
