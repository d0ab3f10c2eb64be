/** What is read for the report of an incident: changes of leader, what etcd was like, and what people did. */
import { parseRef } from '../../lib/election/ids.ts'
import {
  type IncidentReport,
  type IncidentSeen,
  incidentReport,
  type SeenElection,
  type Untold,
} from '../../lib/election/incident-report.ts'
import { massesOf } from '../../lib/election/mass-events.ts'
import { ledObjective } from '../../lib/election/objectives.ts'
import { stops } from '../../lib/election/stops.ts'
import { RAFT_REACH_MS } from '../../lib/election/surroundings.ts'
import type { Transition } from '../../lib/election/transitions.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { unwatched } from '../../lib/election/unwatched.ts'
import { base64FromLatin1, escapeLatin1 } from '../../lib/shared/bytes.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import type { Actor } from '../auth/person.ts'
import type { History, TransitionRow } from '../history/history.ts'
import type { Context } from './context.ts'
import { failoverRow, type Naming, namingOf } from './failover-shapes.ts'
import { readActions } from './incident-actions.ts'
import { readAlerts } from './incident-alerts.ts'
import { readTerms, unwritten } from './periods.ts'
import { serverTime, watcherOf } from './trpc.ts'

export const MOST_ELECTIONS = 50
const PAGE = 1_000
const MOST_PAGES = 10
/** An etcd raft leader is known by the one before, which an outage may part by minutes. */
const CONDITIONS_BEFORE_MS = 600_000 + RAFT_REACH_MS

export interface AskedIncident {
  cluster: string
  from: Instant
  to: Instant
  /** Absent: those that changed. */
  refs?: readonly ElectionRef[] | undefined
}

export async function readIncident(
  ctx: Pick<Context, 'runtime'>,
  actor: Actor,
  { cluster, from, to, refs }: AskedIncident,
): Promise<IncidentReport> {
  const { view } = watcherOf(ctx, cluster).elections
  const { history, audit, config, alerts: fired } = ctx.runtime
  const naming = namingOf(view)
  const range = { cluster, from, to }
  const changes = await readChanges(history, range)
  const chosen = refs ?? mostMoved(changes.rows, naming).slice(0, MOST_ELECTIONS)
  const elections: SeenElection[] = []
  for (const ref of new Set(chosen)) {
    const named = identityOf(ref, naming)
    const { terms, gaps } = await readTerms(history, { cluster, ref }, { from, to })
    const annotations = await history.annotations({ cluster, ref })
    elections.push({ ...named, ledObjective: ledObjective(named.prefix, config.objectives), terms, gaps, annotations })
  }
  const around = await readAround(history, range, refs === undefined ? null : elections)
  const { actions, told } = readActions({ audit, actor }, { ...range, refs })
  const { alerts, told: toldAlerts } = readAlerts(fired, range)
  const moved = new Set(changes.rows.map(({ ref }) => ref))
  const untold: Untold = {
    elections: [...moved].filter((ref) => !chosen.includes(ref)).length,
    isMore: changes.isMore,
    actions: told,
    alerts: toldAlerts,
  }
  const masses = massesOf(changes.rows.map((row) => transitionOf(row, naming)).filter(isFailover)).events
  return incidentReport({ ...range, madeAt: serverTime(ctx), elections, untold, ...around, masses, actions, alerts })
}

const isFailover = ({ kind }: Transition) => kind === 'failover'

/** Of a stop and a time, what concerns these elections; `null`: everything. */
async function readAround(
  history: History,
  range: { cluster: string; from: Instant; to: Instant },
  elections: readonly SeenElection[] | null,
): Promise<Pick<IncidentSeen, 'gaps' | 'conditions' | 'stops'>> {
  const from = instant(msOf(range.from) - CONDITIONS_BEFORE_MS)
  const { conditions, gaps } = await history.conditions({ ...range, from })
  const before = unwatched(await history.observedSince(range.cluster), range)
  const all = await history.stops(range)
  const concerns = (stop: (typeof all)[number]) =>
    elections === null || elections.some(({ prefixBase64 }) => stops(stop, prefixBase64))
  return {
    conditions,
    gaps: [...before, ...gaps.filter((gap) => gap.to >= range.from), ...unwritten(history.state(), range)],
    stops: all.filter(concerns).reverse(),
  }
}

/** Oldest first. */
async function readChanges(
  history: History,
  range: { cluster: string; from: Instant; to: Instant },
): Promise<{ rows: TransitionRow[]; isMore: boolean }> {
  const rows: TransitionRow[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await history.transitionRows({ ...range, limit: PAGE, ...(cursor ? { cursor } : {}) })
    rows.push(...found.rows)
    cursor = found.nextCursor
    if (cursor === undefined) break
  }
  return { rows: rows.reverse(), isMore: cursor !== undefined }
}

/** Those with the most failovers first, then the most changes, then by name. */
function mostMoved(rows: readonly TransitionRow[], naming: Naming): ElectionRef[] {
  const moved = [...Map.groupBy(rows, ({ ref }) => ref)].map(([ref, own]) => ({
    ref,
    name: own[0] === undefined ? '' : naming(own[0]).name,
    failovers: own.filter((row) => failoverRow(row, naming).kind === 'failover').length,
    changes: own.length,
  }))
  return moved
    .sort((a, b) => b.failovers - a.failovers || b.changes - a.changes || (a.name < b.name ? -1 : 1))
    .map(({ ref }) => ref)
}

function identityOf(ref: ElectionRef, naming: Naming) {
  const { prefixLatin1 } = parseRef(ref)
  const prefix = escapeLatin1(prefixLatin1)
  const prefixBase64 = base64FromLatin1(prefixLatin1)
  return { ref, prefix, prefixBase64, name: naming({ ref, prefix, prefixBase64 }).name }
}

function transitionOf(row: TransitionRow, naming: Naming): Transition {
  const { at, next, kind, cause, detectMs, refillMs, vacancyMs, takeoverMs, totalMs } = failoverRow(row, naming)
  const nextMs = next === null ? null : msOf(next.from)
  return { ref: row.ref, atMs: msOf(at), nextMs, kind, cause, detectMs, refillMs, vacancyMs, takeoverMs, totalMs }
}
