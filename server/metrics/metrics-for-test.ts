/** Metrics over clusters that stand still unless they are moved. */
import type { ElectionChange } from '../../lib/election/changes.ts'
import { at, CLUSTER, key, rev } from '../../lib/election/claims-for-test.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { refOf } from '../../lib/election/ids.ts'
import type { Cluster, ElectionRef, ElectionState } from '../../lib/election/types.ts'
import { base64FromLatin1, escapeLatin1 } from '../../lib/shared/bytes.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { FakeHistory } from '../history/fake-history.ts'
import type { History } from '../history/history.ts'
import { tapHistory } from '../history/tap.ts'
import { type Format, Metrics, type MetricsOptions } from './metrics.ts'
import type { Watched } from './scrape.ts'

export class Scene {
  nowMs = msOf(at(0))
  lagMs = 250
  alarms: readonly { type: string }[] | null = []
  readonly history: History
  readonly metrics: Metrics
  readonly view: ClusterView
  private readonly watched = new Map<string, Watched>()

  constructor(more: Partial<MetricsOptions> = {}, info: Partial<Cluster> = {}) {
    const clock = { nowMs: () => this.nowMs, monoMs: () => this.nowMs }
    const watched = [{ prefix: '/e/', prefixBase64: btoa('/e/') }]
    this.view = this.add({ ...CLUSTER, watched, switches: [], ...info })
    this.metrics = new Metrics({
      clock,
      watched: this.watched,
      history: { state: () => ({ ok: true }) },
      maxElections: 2_000,
      version: '1.2.3',
      ...more,
    })
    this.history = tapHistory(new FakeHistory(clock), [this.metrics.listener])
  }

  add(info: Cluster): ClusterView {
    const view = new ClusterView(info)
    this.watched.set(info.name, {
      elections: { view },
      members: { activeAlarms: () => this.alarms },
      heartbeatAgeMs: () => this.lagMs,
      refresh: () => {},
    })
    return view
  }

  later(ms: number): void {
    this.nowMs += ms
  }

  cluster(info: Partial<Cluster>): void {
    this.view.apply({ type: 'cluster', cluster: this.view.info.name, info: { ...this.view.info, ...info } })
  }

  /** As the watcher does: through the reducer, and into the history. */
  apply(change: ElectionChange, ref: ElectionRef = refOf('queue', '/e/job/')): void {
    const { view } = this
    const facts = view.apply({ type: 'election', cluster: view.info.name, ref, change })
    const state = view.elections.get(ref)
    if (state !== undefined && facts.length > 0) this.history.record(view.info.name, state, facts)
  }

  /** `prefix` is latin1. */
  open(
    prefix = '/e/job/',
    tokens: readonly number[] = [7, 9],
    more: Partial<Pick<ElectionState, 'confirmed' | 'layout'>> = {},
  ): ElectionRef {
    const ref = refOf(more.layout ?? 'queue', prefix)
    const opened = {
      type: 'opened',
      at: at(0),
      revision: rev(100),
      live: true,
      layout: 'queue',
      prefix: escapeLatin1(prefix),
      prefixBase64: base64FromLatin1(prefix),
      confirmed: true,
      foundBy: 'test',
      epoch: 0,
      keys: tokens.map((token) => key(token)),
      ...more,
    } as const
    this.apply(opened, ref)
    return ref
  }

  async scrape(format: Format = 'text'): Promise<string> {
    return (await this.metrics.render(format)).body
  }
}
