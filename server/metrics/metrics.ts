/** What Tenure tells Prometheus: a registry of its own, read anew with each scrape. */
import { Counter, collectDefaultMetrics, Histogram, Registry, type RegistryContentType } from 'prom-client'
import type { Alert } from '../../lib/election/alerts.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { type Clock, type Instant, msOf } from '../../lib/shared/clock.ts'
import { type AuditDraft, auditResult } from '../history/audit.ts'
import type { HistoryListener } from '../history/tap.ts'
import { CATALOGUE } from './catalogue.ts'
import { collectFromSheet } from './collected.ts'
import { Scraper, type Watched } from './scrape.ts'
import { Sheet } from './sheet.ts'
import { Tally } from './tally.ts'

export type Format = 'text' | 'openmetrics'

export interface Exposition {
  contentType: string
  body: string
}

export interface MetricsOptions {
  clock: Pick<Clock, 'nowMs'>
  /** May be filled later. */
  watched: ReadonlyMap<string, Watched>
  history: { state(): { ok: boolean } }
  maxElections: number
  version: string
  /** Memory, processor time and the like of this process; off where several share one. */
  processMetrics?: boolean
}

type CountedAlert = Pick<Alert, 'rule' | 'severity' | 'stage'>

/** What others know, asked with each scrape. */
export interface Asked {
  /** What fires and what is about to. */
  alerts(): Iterable<CountedAlert>
  certificates(cluster: string): readonly { what: string; expiresAt: Instant }[]
}

const CONTENT_TYPES = { text: Registry.PROMETHEUS_CONTENT_TYPE, openmetrics: Registry.OPENMETRICS_CONTENT_TYPE }
const RTT_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Of prom-client's own, with the catalogue's words. */
function described<Name extends keyof typeof CATALOGUE>(name: Name, registry: Registry) {
  const { help, labels } = CATALOGUE[name]
  return { name, help, labelNames: [...labels], registers: [registry] }
}

export class Metrics {
  /** Give it to `tapHistory`. */
  readonly listener: HistoryListener
  private readonly options: MetricsOptions
  private readonly registry = new Registry()
  private readonly scraper: Scraper
  private readonly actions: Counter<string>
  private sheet = new Sheet()
  private readonly running = new Map<Format, Promise<Exposition>>()
  private last: Promise<unknown> = Promise.resolve()
  private asked: Asked = { alerts: () => [], certificates: () => [] }

  constructor(options: MetricsOptions) {
    this.options = options
    const { clock, watched, maxElections } = options
    const { registry } = this
    this.actions = new Counter(described('tenure_actions_total', registry))
    const rtts = new Histogram({
      ...described('tenure_cluster_renewal_rtt_seconds', registry),
      buckets: RTT_BUCKETS_S,
    })
    const tally = new Tally({
      clock,
      onRtt: (cluster, source, rttMs) => rtts.observe({ cluster, source }, rttMs / 1_000),
      isKnown: (cluster: string, ref: ElectionRef) => watched.get(cluster)?.elections.view.elections.has(ref) ?? false,
    })
    this.listener = tally
    this.scraper = new Scraper({ clock, watched, tally, maxElections })
    collectFromSheet(registry, (name) => this.sheet.of(name))
    if (options.processMetrics) collectDefaultMetrics({ register: registry })
  }

  /** Of everything that goes into the audit log. An outcome that is found later counts when it is found. */
  countAction(entry: Pick<AuditDraft, 'kind' | 'outcome' | 'verb'>): void {
    const outcome = auditResult(entry)
    if (outcome !== null) this.actions.inc({ action: entry.verb, outcome })
  }

  /** They are constructed later than what feeds the counters. */
  ask(asked: Asked): void {
    this.asked = asked
  }

  /** Those who ask while it is put together get the same. */
  render(format: Format): Promise<Exposition> {
    const running = this.running.get(format)
    if (running !== undefined) return running
    const next = this.last.then(() => this.compute(format)).finally(() => this.running.delete(format))
    this.running.set(format, next)
    this.last = next.catch(() => {})
    return next
  }

  private async compute(format: Format): Promise<Exposition> {
    const { history, version } = this.options
    const sheet = new Sheet()
    sheet.put('tenure_build_info', {}, 1, { version, node: process.version.slice(1) })
    sheet.put('tenure_history_written', {}, history.state().ok)
    this.putAsked(sheet)
    this.scraper.fill(sheet)
    this.sheet = sheet
    const named = this.registry.getMetricsAsArray().map((metric) => ({ metric, name: metric.name }))
    const either: Pick<Registry<RegistryContentType>, 'setContentType'> = this.registry
    either.setContentType(CONTENT_TYPES[format])
    try {
      return { contentType: CONTENT_TYPES[format], body: await this.registry.metrics() }
    } finally {
      // For OpenMetrics prom-client takes `_total` off the names, and would leave it off.
      for (const { metric, name } of named) metric.name = name
      this.sheet = new Sheet()
    }
  }

  private putAsked(sheet: Sheet): void {
    const { alerts, certificates } = this.asked
    const groups = Map.groupBy(alerts(), ({ rule, severity, stage }) => `${rule} ${severity} ${stage}`)
    for (const group of groups.values()) {
      const [one] = group
      if (one === undefined) continue
      const { rule, severity, stage } = one
      sheet.put('tenure_alerts', {}, group.length, { rule, severity, stage })
    }
    for (const cluster of this.options.watched.keys()) {
      // The members may show the same one; each names its endpoint.
      for (const { what, expiresAt } of certificates(cluster)) {
        const name = 'tenure_cluster_certificate_expiry_timestamp_seconds'
        sheet.put(name, { cluster }, msOf(expiresAt) / 1_000, { certificate: what })
      }
    }
  }
}
