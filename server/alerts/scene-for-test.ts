/** A cluster of made-up elections with everything that makes alerts of them; time passes when it is told to. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { Severity } from '../../lib/election/alerts.ts'
import type { ElectionChange, KeyPut } from '../../lib/election/changes.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { refOf } from '../../lib/election/ids.ts'
import type { Cluster, ElectionRef, EndedBy, LeaseId, LeaseSample, Revision } from '../../lib/election/types.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'
import { instant } from '../../lib/shared/clock.ts'
import { SqliteAlerts } from '../history/sqlite-alerts.ts'
import { Alerts } from './alerts.ts'
import type { MessageChannel } from './channels/channel.ts'
import { RenewalWindow } from './renewal-window.ts'
import { ThresholdBook, type ThresholdSettings } from './thresholds.ts'

export const T0 = Date.parse('2026-03-12T03:00:00Z')
const CLUSTER = 'eu'

export class Scene {
  nowMs = T0
  revision = 100
  readonly folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  readonly view: ClusterView
  readonly renewals = new RenewalWindow()
  alarms: { type: string; member: string }[] | null = []
  historyTrouble: string | undefined
  store: SqliteAlerts
  alerts: Alerts
  settings: Partial<ThresholdSettings>
  severities: Severity[] = ['critical', 'warning']

  constructor(settings: Partial<ThresholdSettings> = {}) {
    this.settings = settings
    const info = {
      name: CLUSTER,
      freshness: 'live',
      quorum: true,
      asOf: instant(T0),
      gaps: [],
      raftLeaderChanges: [],
      watched: [{ prefix: '/elections/', prefixBase64: base64FromLatin1('/elections/') }],
    } as Partial<Cluster> as Cluster
    this.view = new ClusterView(info)
    this.store = new SqliteAlerts(join(this.folder, 'alerts.sqlite'))
    this.alerts = this.make()
  }

  private make(): Alerts {
    const channel = {
      name: 'sink',
      type: 'webhook',
      to: 'sink',
      severities: this.severities,
      send: async () => null,
    }
    const silent = {
      info: () => {},
      warn: () => {},
      error: (fields: object) => 'err' in fields && console.error(fields),
    }
    return new Alerts({
      clock: { nowMs: () => this.nowMs, monoMs: () => this.nowMs },
      log: silent,
      store: this.store,
      channels: [channel as MessageChannel],
      publicUrl: 'https://tenure.example.org',
      thresholds: new ThresholdBook({ rules: {}, elections: [], ...this.settings }),
      watched: [
        {
          name: CLUSTER,
          view: this.view,
          alarms: () => this.alarms,
          certificates: () => ({ known: [], isWhole: true }),
          renewals: this.renewals,
        },
      ],
      historyTrouble: () => this.historyTrouble,
      tellPages: () => {},
    })
  }

  /** The server begins again, on what it had saved. */
  async restart(meanwhile: () => void = () => {}): Promise<void> {
    await this.alerts.stop()
    meanwhile()
    this.store = new SqliteAlerts(join(this.folder, 'alerts.sqlite'))
    this.alerts = this.make()
    this.look()
  }

  /** As `start` does, without its clock. */
  look(): void {
    if (!this.isStarted.has(this.alerts)) {
      this.isStarted.add(this.alerts)
      this.alerts.start()
    }
    this.alerts.pass()
  }
  private readonly isStarted = new WeakSet<Alerts>()

  /** So many seconds go by, with a look at each. */
  pass(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.nowMs += 1_000
      this.look()
    }
  }

  now = () => instant(this.nowMs)

  ref(name: string): ElectionRef {
    return refOf('queue', `/elections/${name}/`)
  }

  /** First seen with these candidates in its queue. */
  open(name: string, candidates: readonly string[], ttlMs = 10_000): void {
    const prefix = `/elections/${name}/`
    this.apply(name, {
      type: 'opened',
      at: this.now(),
      revision: String(this.revision) as Revision,
      live: true,
      layout: 'queue',
      prefix,
      prefixBase64: base64FromLatin1(prefix),
      confirmed: true,
      foundBy: 'test',
      epoch: 0,
      keys: candidates.map((identity) => this.put(name, identity)),
    })
    for (const { lease } of this.state(name).candidates) {
      if (lease !== null) this.sample(name, lease, { grantedMs: ttlMs, remainingMs: ttlMs - 1_000, asOf: this.now() })
    }
  }

  sample(name: string, lease: LeaseId, sample: LeaseSample): void {
    this.apply(name, { type: 'lease', lease, sample })
  }

  put(name: string, identity: string, lease: string | null = `${this.revision}`): KeyPut {
    this.revision += 1
    const key = `/elections/${name}/${this.revision.toString(16)}`
    return {
      key,
      keyBase64: base64FromLatin1(key),
      identity,
      valueBytes: identity.length,
      lease: lease as LeaseId | null,
      createRevision: String(this.revision) as Revision,
      modRevision: String(this.revision) as Revision,
      nested: false,
    }
  }

  join(name: string, identity: string): void {
    this.change(name, { puts: [this.put(name, identity)] })
  }

  /** The oldest key goes; the cause is known at once. */
  lose(name: string, endedBy: EndedBy = { cause: 'lease lost', evidence: 'test' }): void {
    const head = this.state(name).candidates[0]
    if (head === undefined) throw new Error(`nobody leads ${name}`)
    const token = this.state(name).term?.token
    this.change(name, { deletes: [head.keyBase64] })
    if (token !== undefined) this.apply(name, { type: 'cause', token, endedBy })
  }

  state(name: string) {
    const state = this.view.elections.get(this.ref(name))
    if (state === undefined) throw new Error(`no election ${name}`)
    return state
  }

  info(over: Partial<Cluster>): void {
    this.view.info = { ...this.view.info, ...over }
  }

  change(name: string, { puts = [], deletes = [] }: { puts?: KeyPut[]; deletes?: string[] }): void {
    this.revision += 1
    const revision = String(this.revision) as Revision
    this.apply(name, { type: 'revision', at: this.now(), revision, puts, deletes })
  }

  apply(name: string, change: ElectionChange): void {
    this.view.apply({ type: 'election', cluster: CLUSTER, ref: this.ref(name), change })
    if (this.isStarted.has(this.alerts)) this.alerts.changed(CLUSTER, [this.ref(name)])
  }

  /** "rule subject stage", worst first. */
  shown(): string[] {
    return this.alerts.list().alerts.map(({ rule, subject, stage }) => `${rule} ${subject} ${stage}`)
  }

  /** "kind rule subject" of each message that was made, oldest first. */
  told(): string[] {
    return this.store
      .deliveries({ limit: 200 })
      .deliveries.reverse()
      .map(({ kind, summary }) => `${kind}: ${summary}`)
  }

  async close(): Promise<void> {
    await this.alerts.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Scenes that go with the test that made them. */
export function sceneMaker(): (...args: ConstructorParameters<typeof Scene>) => Scene {
  const scenes: Scene[] = []
  afterEach(async () => {
    for (const scene of scenes.splice(0)) await scene.close()
  })
  return (...args) => {
    const scene = new Scene(...args)
    scenes.push(scene)
    return scene
  }
}

/** What is said of an election that nobody competes for. */
export const LEADERLESS = 'billing has no leader and no candidates'
/** Alone from the beginning: its standby alert is of no interest. */
export const quiet = { rules: { 'no-standby': { off: true } }, elections: [] }
