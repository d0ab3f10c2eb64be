/** The full-width lines above a page: what is wrong with Tenure's own view, worst first. Pure. */
import { isHolding } from '../../lib/election/scopes.ts'
import type { Cluster } from '../../lib/election/types.ts'
import { shortDuration, timeOfDay } from '../../lib/shared/format.ts'
import { scopeWords, switchWords } from '../election/switch-words.ts'
import type { Connection } from '../live/live-store.ts'

export interface BannerLine {
  id: string
  tone: 'crit' | 'plain'
  strong: string
  text: string
  action?: 'reload'
}

export const CLOCK_OFF_MS = 30_000
const MINUTE_MS = 60_000

function ofConnection(connection: Connection): BannerLine[] {
  if (connection.state === 'outdated') {
    return [
      {
        id: 'outdated',
        tone: 'plain',
        strong: 'Tenure was updated.',
        text: 'Reload this page to use the new version.',
        action: 'reload',
      },
    ]
  }
  if (connection.state !== 'reconnecting') return []
  if (connection.since === null) {
    const text = `${connection.reason}. It keeps trying.`
    return [{ id: 'reconnecting', tone: 'crit', strong: 'This page has not reached Tenure yet:', text }]
  }
  const since = ` at ${timeOfDay(connection.since)} UTC`
  const text = `${connection.reason}. It keeps trying; what is shown is as of then.`
  return [{ id: 'reconnecting', tone: 'crit', strong: `This page lost Tenure${since}:`, text }]
}

const TROUBLES = {
  vanished: 'A kill switch vanished',
  'rolled-back': 'A kill switch went back',
  overdue: 'A kill switch is overdue',
  'too-many': 'Not every kill switch is read',
} as const

function ofCluster(cluster: Cluster, connection: Connection): BannerLine[] {
  const { name } = cluster
  const lines: BannerLine[] = []
  if (!cluster.quorum && cluster.asOf !== null && cluster.freshness !== 'unreachable') {
    const text = `etcd has no quorum: renewals fail, and no handoff or stop can be written.`
    lines.push({ id: `${name} quorum`, tone: 'crit', strong: `${name}:`, text })
  }
  if (connection.state === 'past') {
    if (cluster.reason)
      lines.push({ id: `${name} then`, tone: 'plain', strong: `${name}:`, text: `${cluster.reason}.` })
  } else if (cluster.freshness === 'unreachable') {
    lines.push({ id: `${name} away`, tone: 'crit', strong: `${name} cannot be reached:`, text: cluster.reason ?? '' })
  } else if (cluster.reason) {
    const strong = cluster.freshness === 'stale' ? `${name} is stale:` : `${name}:`
    lines.push({
      id: `${name} reason`,
      tone: cluster.freshness === 'stale' ? 'crit' : 'plain',
      strong,
      text: cluster.reason,
    })
  }
  for (const each of (cluster.switches ?? []).filter(isHolding)) {
    const strong = `Kill switch on ${scopeWords(each)}:`
    lines.push({ id: `${name} switch ${each.scopeBase64}`, tone: 'crit', strong, text: `${switchWords(each)}.` })
  }
  for (const { type, scopeBase64, words } of cluster.switchTroubles ?? []) {
    // One that cannot be read has its line as one that stops.
    if (type === 'unreadable') continue
    lines.push({
      id: `${name} ${type} ${scopeBase64}`,
      tone: 'crit',
      strong: `${TROUBLES[type]} in ${name}:`,
      text: words,
    })
  }
  if (cluster.switchesError) {
    lines.push({
      id: `${name} switches`,
      tone: 'crit',
      strong: `Kill switches of ${name} cannot be read:`,
      text: `${cluster.switchesError}. What is stopped on purpose is not known.`,
    })
  }
  if (cluster.missingRights) {
    const text = `Tenure’s account in etcd ${cluster.missingRights.join('; ')}.`
    lines.push({ id: `${name} rights`, tone: 'plain', strong: `${name}:`, text })
  }
  if (cluster.historyError) {
    lines.push({
      id: `${name} history`,
      tone: 'plain',
      strong: `History of ${name} is not being written:`,
      text: cluster.historyError,
    })
  }
  return lines
}

/** To the nearest: a clock that is 6 m 59.9 s off is 7 m off. */
const wholeMinutes = (ms: number) => (ms < MINUTE_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS)

function ofClock(browserAheadMs: number): BannerLine[] {
  const offMs = Math.abs(browserAheadMs)
  if (offMs < CLOCK_OFF_MS) return []
  const way = browserAheadMs > 0 ? 'ahead of' : 'behind'
  const strong = `Your clock is ${shortDuration(wholeMinutes(offMs))} ${way} the server’s.`
  return [{ id: 'clock', tone: 'plain', strong, text: 'Times here are the server’s.' }]
}

/** One line for all of them: it is how they are meant to be, and nothing is wrong. */
function ofReadOnly(clusters: readonly Cluster[]): BannerLine[] {
  const names = clusters.filter(({ readOnly }) => readOnly).map(({ name }) => name)
  if (names.length === 0) return []
  const text = `Nothing is written to ${names.join(', ')} from here: no handoff, no kill switch.`
  return [{ id: 'read-only', tone: 'plain', strong: 'Read-only.', text }]
}

export function bannerLines(
  connection: Connection,
  clusters: readonly Cluster[],
  browserAheadMs: number,
): readonly BannerLine[] {
  return [
    ...ofConnection(connection),
    ...clusters.flatMap((cluster) => ofCluster(cluster, connection)),
    ...ofReadOnly(clusters),
    ...ofClock(browserAheadMs),
  ]
}
