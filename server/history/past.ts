/** The elections of a cluster at a moment of the past, from terms and candidacies. */
import { shown } from '../../lib/election/ids.ts'
import { pastElection, until, windowsOf } from '../../lib/election/past.ts'
import { holdingAt, type Stop } from '../../lib/election/stops.ts'
import type { Candidate, Cause, ElectionRef, Gap, Layout, LeaseId, Revision, Term } from '../../lib/election/types.ts'
import { latin1FromBase64 } from '../../lib/shared/bytes.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import type { ElectionIdentity, Past } from './history.ts'
import { instantMaker } from './instants.ts'
import { PastReader, type PastRow } from './past-rows.ts'
import { QUEUES_KEEP_MS } from './retention.ts'

/** A mark is written every second; after this long without one nothing is confirmed. */
export const CONFIRMED_FOR_MS = 5_000
const WHOLE_CLUSTER = 0
const ELECTIONS_PER_PIECE = 1_000
const instant = instantMaker()

export interface PastQuery {
  cluster: string
  at: Instant
  nowMs: number
}

interface Found {
  identity: ElectionIdentity
  /** The newest that its rows tell of. */
  epoch: number
  candidates: Candidate[]
  terms: Map<string, Term>
  failovers: Instant[]
  gaps: Gap[]
}

interface Scope {
  reader: PastReader
  at: Instant
  params: { cluster: number; at: number; hour: number; day: number }
}

export const NOTHING_KEPT: Past = { keptSince: null, epoch: 0, elections: [], gaps: [], unseen: null, stops: [] }

export async function readPast(file: string, { cluster, at, nowMs }: PastQuery): Promise<Past> {
  const reader = new PastReader(file)
  try {
    const [row] = reader.read('cluster', { name: cluster })
    const [id, keptMs, aliveMs] = row ?? []
    if (typeof id !== 'number' || typeof keptMs !== 'number') return NOTHING_KEPT
    const keptSince = instant(Math.max(keptMs, nowMs - QUEUES_KEEP_MS))
    if (at < keptSince) return { ...NOTHING_KEPT, keptSince }
    const { hour, day } = windowsOf(at)
    const scope = { reader, at, params: { cluster: id, at: msOf(at), hour: msOf(hour), day: msOf(day) } }
    return { keptSince, ...(await stateOf(scope, typeof aliveMs === 'number' ? aliveMs : null)) }
  } finally {
    reader.close()
  }
}

async function stateOf(scope: Scope, aliveMs: number | null): Promise<Omit<Past, 'keptSince'>> {
  const { reader, at, params } = scope
  const found = electionsOf(scope)
  const gaps = gapsOf(scope, found)
  const stops = reader.read('stops', params).map(([body]) => JSON.parse(String(body)) as Stop)
  const ids = [...found.keys()]
  for (const row of reader.read('queuedThen', params)) addQueued(found, row)
  for (let from = 0; from < ids.length; from += ELECTIONS_PER_PIECE) {
    const last = ids[Math.min(from + ELECTIONS_PER_PIECE, ids.length) - 1] ?? 0
    addPiece(scope, found, { first: ids[from] ?? 0, last })
    await reader.breathe()
  }
  const epoch = Math.max(0, ...[...found.values()].map((each) => each.epoch))
  const elections: Past['elections'] = []
  for (const each of found.values()) {
    if (each.candidates.length === 0 && each.terms.size === 0) continue
    const terms = [...each.terms.values()].sort((a, b) => a.ordinal - b.ordinal)
    const state = pastElection({ ...each, epoch, terms, gaps: [...gaps, ...each.gaps] }, at)
    if (state !== null) elections.push(state)
    await reader.breathe()
  }
  return {
    epoch,
    elections,
    gaps: gaps.map((gap) => until(gap, at)),
    unseen: gaps.find(({ to }) => to > at) ?? unconfirmed(aliveMs, at),
    stops: stops.map((stop) => holdingAt(stop, at)),
  }
}

/** The newest mark is older than the moment: nothing proves that it was still so. */
export function unconfirmed(aliveMs: number | null, at: Instant): Gap | null {
  if (aliveMs !== null && msOf(at) - aliveMs <= CONFIRMED_FOR_MS) return null
  return { from: aliveMs === null ? at : instant(aliveMs), to: at, reason: 'not confirmed' }
}

function electionsOf({ reader, params }: Scope): Map<number, Found> {
  const found = new Map<number, Found>()
  for (const [id, ref, layout, prefix, prefixBase64, foundBy, confirmed] of reader.read('elections', params)) {
    const identity = {
      ref: ref as ElectionRef,
      layout: layout as Layout,
      prefix: String(prefix),
      prefixBase64: String(prefixBase64),
      foundBy: String(foundBy),
      confirmed: confirmed === 1,
    }
    found.set(Number(id), { identity, epoch: 0, candidates: [], terms: new Map(), failovers: [], gaps: [] })
  }
  return found
}

function addPiece({ reader, params }: Scope, found: Map<number, Found>, ids: { first: number; last: number }): void {
  const piece = { ...params, ...ids }
  for (const row of reader.read('queuedStill', piece)) addQueued(found, row)
  for (const which of ['endedLast', 'endedNext', 'open', 'endedLately'] as const) {
    for (const row of reader.read(which, piece)) {
      const election = found.get(Number(row[0]))
      if (election === undefined) continue
      const key = `${row[1]} ${row[2]}`
      election.epoch = Math.max(election.epoch, Number(row[1]))
      if (!election.terms.has(key)) election.terms.set(key, termOf(row))
    }
  }
  for (const [id, toMs] of reader.read('failovers', piece)) found.get(Number(id))?.failovers.push(instant(Number(toMs)))
}

function addQueued(found: Map<number, Found>, row: PastRow): void {
  const election = found.get(Number(row[0]))
  if (election === undefined) return
  election.epoch = Math.max(election.epoch, Number(row[1]))
  election.candidates.push(candidateOf(row))
}

/** Those of the whole cluster; the others go to their elections. */
function gapsOf({ reader, params }: Scope, found: Map<number, Found>): Gap[] {
  const whole: Gap[] = []
  for (const [id, fromMs, toMs, reason] of reader.read('gaps', params)) {
    const gap = { from: instant(Number(fromMs)), to: instant(Number(toMs)), reason: String(reason) }
    if (id === WHOLE_CLUSTER) whole.push(gap)
    else found.get(Number(id))?.gaps.push(gap)
  }
  return whole.sort((a, b) => (a.from < b.from ? -1 : 1))
}

const textOrNull = (value: unknown) => (value === null ? null : String(value))
const numberOrNull = (value: unknown) => (value === null ? null : Number(value))

function candidateOf(row: PastRow): Candidate {
  const [, , createRevision, modRevision, keyBase64, identity, valueBytes, lease, nested, held, sinceMs, atLeast] = row
  return {
    identity: String(identity),
    valueBytes: Number(valueBytes),
    key: shown(latin1FromBase64(String(keyBase64))).text,
    keyBase64: String(keyBase64),
    lease: textOrNull(lease) as LeaseId | null,
    createRevision: createRevision as Revision,
    modRevision: modRevision as Revision,
    since: instant(Number(sinceMs)),
    sinceAtLeast: atLeast === 1,
    nested: nested === 1,
    ttl: null,
    ...(held === null ? {} : { held: JSON.parse(String(held)) as NonNullable<Candidate['held']> }),
  }
}

function termOf(row: PastRow): Term {
  const [, epoch, token, ordinal, identity, key, keyBase64, lease, fromMs, fromAtLeast, ...rest] = row
  const [toMs, gapMs, takeoverMs, silentMs, cause, by, evidence, duringStop, refillMs] = rest
  return {
    ordinal: Number(ordinal),
    epoch: Number(epoch),
    token: token as Revision,
    leader: {
      identity: String(identity),
      key: String(key),
      keyBase64: String(keyBase64),
      lease: textOrNull(lease) as LeaseId | null,
    },
    from: instant(Number(fromMs)),
    fromAtLeast: fromAtLeast === 1,
    to: toMs === null ? null : instant(Number(toMs)),
    gapMs: numberOrNull(gapMs),
    takeoverMs: numberOrNull(takeoverMs),
    silentMs: numberOrNull(silentMs),
    ...(refillMs === null ? {} : { refillMs: Number(refillMs) }),
    endedBy:
      cause === null
        ? null
        : {
            cause: cause as Cause,
            ...(by === null ? {} : { by: String(by) }),
            evidence: String(evidence ?? ''),
            ...(duringStop === null ? {} : { duringStop: true as const }),
          },
  }
}
