/** Findings become alerts here: pending, firing once they have lasted, resolved when they are gone. */
import { createHash, randomUUID } from 'node:crypto'
import type { AlertRule } from '../../lib/election/alerts.ts'
import type { ElectionRef, Gap } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import type { KeptAlert } from '../history/alert-store.ts'
import type { Finding } from './rules/finding.ts'

/** What was looked at: an election, a cluster without its elections, or Tenure as a whole. */
export interface Scope {
  /** null: Tenure as a whole. */
  cluster: string | null
  ref?: ElectionRef
}

export interface Look {
  now: Instant
  /** The first one after a time in which this could not be seen. */
  isFirst: boolean
  /** Times that were not seen: what began in one began at a time that is not known. */
  gaps: readonly Gap[]
  clusterGaps?: readonly Gap[]
  /** What was not found may go on all the same, where it could not have been. */
  goesOn?: (alert: KeptAlert) => boolean
  /** Token of who leads now. */
  token?: string | null
  /** The ends of these are seen to the second, also after others could not be. */
  exact?: ReadonlySet<AlertRule>
  /** What there is to say of its end, before what was wrong. */
  endWords?: (alert: KeptAlert) => string | undefined
}

/** Comes and goes with each renewal: it must be over for a while. */
const OVER_FOR_MS: Partial<Record<AlertRule, number>> = { 'lease-margin': 60_000, 'renewal-slow': 60_000 }

const WHOLE = ''

/** The same for the same trouble, whenever it comes: at most 100 characters whatever it is about. */
export function keyOf({ cluster }: Scope, { rule, about }: Pick<Finding, 'rule' | 'about'>): string {
  const which = about === '' ? '' : `/${createHash('sha256').update(about).digest('hex').slice(0, 16)}`
  return `tenure/${cluster ?? '-'}/${rule}${which}`
}

export class Keeper {
  /** Pending, firing, and resolved until `forget`. */
  private readonly alerts = new Map<string, KeptAlert>()
  /** Keys of what is open, by cluster and election: asked for each election each second. */
  private readonly byScope = new Map<string, Map<string, Set<string>>>()
  /** Since when an alert that is to be over has been gone. */
  private readonly goneSince = new Map<string, Instant>()
  private readonly resolved = new Map<string, KeptAlert>()
  private dirty = new Map<string, KeptAlert>()
  /** Rises with whatever a page could show. */
  version = 0

  /** What an earlier run knew. What was found meanwhile, since it could not be read, is the same trouble. */
  restore(alerts: readonly KeptAlert[]): void {
    for (const alert of alerts) {
      const found = this.alerts.get(alert.key)
      if (alert.resolvedAt !== null) this.resolved.set(alert.id, alert)
      else if (found === undefined) this.place(alert)
      else {
        this.dirty.delete(found.id)
        const { id, since, sinceApproximate, firedAt, acknowledged } = alert
        this.put({
          ...found,
          id,
          since,
          sinceApproximate,
          firedAt,
          acknowledged,
          stage: 'firing',
          told: alert.told || found.told,
        })
      }
    }
  }

  /** Pending and firing. */
  current(): IterableIterator<KeptAlert> {
    return this.alerts.values()
  }

  recentlyResolved(): IterableIterator<KeptAlert> {
    return this.resolved.values()
  }

  byId(id: string): KeptAlert | undefined {
    return [...this.alerts.values()].find((alert) => alert.id === id) ?? this.resolved.get(id)
  }

  byKey(key: string): KeptAlert | undefined {
    return this.alerts.get(key)
  }

  /** Scopes in which something is open. */
  scopes(): Scope[] {
    return [...this.byScope].flatMap(([cluster, refs]) =>
      [...refs.keys()].map((ref) => ({
        cluster: cluster === WHOLE ? null : cluster,
        ...(ref === WHOLE ? {} : { ref: ref as ElectionRef }),
      })),
    )
  }

  /** Everything that was found in a scope: what is open there and was not found is over. */
  observe(scope: Scope, findings: readonly Finding[], look: Look): void {
    const open = this.openIn(scope)
    if (findings.length === 0 && open === undefined) return
    const seen = new Set<string>()
    for (const finding of findings) seen.add(this.take(scope, finding, look))
    for (const key of open === undefined ? [] : [...open]) if (!seen.has(key)) this.gone(key, look)
  }

  /** Replaces one that is open, or was until lately. */
  put(alert: KeptAlert): void {
    if (alert.resolvedAt === null) this.alerts.set(alert.key, alert)
    else this.resolved.set(alert.id, alert)
    this.changed(alert)
  }

  /** What has to be saved; asked for once. */
  takeDirty(): KeptAlert[] {
    const dirty = [...this.dirty.values()]
    this.dirty = new Map()
    return dirty
  }

  forget(resolvedBefore: Instant): void {
    for (const [id, { resolvedAt }] of this.resolved) {
      if (resolvedAt !== null && resolvedAt < resolvedBefore) this.resolved.delete(id)
    }
  }

  private take(scope: Scope, finding: Finding, look: Look): string {
    const key = keyOf(scope, finding)
    this.goneSince.delete(key)
    const known = this.alerts.get(key)
    const alert = known === undefined ? begun(scope, key, finding, look) : renewed(known, finding)
    const fired = alert.stage === 'pending' && elapsedMs(alert.since, look.now) >= finding.forMs
    const next: KeptAlert = fired ? { ...alert, stage: 'firing', firedAt: look.now } : alert
    if (next === known) return key
    if (known === undefined) this.place(next)
    else this.alerts.set(key, next)
    // A detail may count up with every look: pages show it, but it is no news.
    if (known === undefined || fired || known.summary !== next.summary || known.severity !== next.severity) {
      this.changed(next)
    } else this.version += 1
    return key
  }

  private gone(key: string, { now, isFirst, goesOn, token, exact, endWords }: Look): void {
    const alert = this.alerts.get(key)
    if (alert === undefined || goesOn?.(alert)) return
    const since = this.goneSince.get(key) ?? now
    const overForMs = token === alert.token ? (OVER_FOR_MS[alert.rule] ?? 0) : 0
    if (alert.stage === 'firing' && elapsedMs(since, now) < overForMs) {
      this.goneSince.set(key, since)
      return
    }
    this.goneSince.delete(key)
    this.remove(alert)
    this.version += 1
    if (alert.stage !== 'firing') return
    const over: KeptAlert = {
      ...alert,
      stage: 'resolved',
      resolvedAt: since,
      resolvedApproximate: isFirst && !exact?.has(alert.rule),
      detail: [endWords?.(alert), alert.detail].filter((words) => words !== undefined).join(' It was: '),
    }
    this.resolved.set(over.id, over)
    this.changed(over)
  }

  private changed(alert: KeptAlert): void {
    this.version += 1
    // Pending ones are found again by themselves.
    if (alert.stage !== 'pending') this.dirty.set(alert.id, alert)
  }

  private openIn({ cluster, ref }: Scope): Set<string> | undefined {
    return this.byScope.get(cluster ?? WHOLE)?.get(ref ?? WHOLE)
  }

  private place(alert: KeptAlert): void {
    this.alerts.set(alert.key, alert)
    const { cluster, ref } = alert
    const refs = this.byScope.get(cluster ?? WHOLE) ?? new Map<string, Set<string>>()
    this.byScope.set(cluster ?? WHOLE, refs)
    refs.set(ref ?? WHOLE, (refs.get(ref ?? WHOLE) ?? new Set()).add(alert.key))
  }

  private remove({ key, cluster, ref }: KeptAlert): void {
    this.alerts.delete(key)
    const refs = this.byScope.get(cluster ?? WHOLE)
    const keys = refs?.get(ref ?? WHOLE)
    keys?.delete(key)
    if (keys?.size === 0) refs?.delete(ref ?? WHOLE)
  }
}

function begun(
  { cluster, ref }: Scope,
  key: string,
  finding: Finding,
  { now, isFirst, gaps, clusterGaps = [], token = null }: Look,
): KeptAlert {
  const { rule, severity, subject, since, summary, detail, reminder = 0 } = finding
  const isIn = (at: Instant) => [...gaps, ...clusterGaps].some(({ from, to }) => from <= at && at <= to)
  return {
    id: randomUUID(),
    key,
    rule,
    severity,
    cluster,
    ...(ref === undefined ? {} : { ref }),
    subject,
    stage: 'pending',
    since: since ?? now,
    sinceApproximate: since === null ? isFirst : isIn(since),
    firedAt: null,
    resolvedAt: null,
    resolvedApproximate: false,
    summary,
    detail,
    acknowledged: null,
    silence: null,
    partOf: null,
    told: false,
    toldTo: [],
    toldOver: false,
    reminded: reminder,
    token,
  }
}

/** The same object where nothing is new. */
function renewed(alert: KeptAlert, { severity, summary, detail, subject }: Finding): KeptAlert {
  const same =
    alert.severity === severity && alert.summary === summary && alert.detail === detail && alert.subject === subject
  return same ? alert : { ...alert, severity, summary, detail, subject }
}
