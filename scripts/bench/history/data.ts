/** A history as thirty days of watching leave it: 1,000 elections, 200,000 terms, 1,000 samples a second. */
import type { Fact } from '../../../lib/election/changes.ts'
import { refOf } from '../../../lib/election/ids.ts'
import type { ElectionRef, EndedBy, LeaseId, Revision, Term } from '../../../lib/election/types.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { Database } from '../../../server/history/database.ts'
import { bodyOf } from '../../../server/history/event-body.ts'
import type { ElectionIdentity } from '../../../server/history/history.ts'
import { Summary } from '../../../server/history/sketch.ts'
import { paramsOf } from '../../../server/history/term-row.ts'
import { toStored } from '../../../server/history/thousandths.ts'
import { blockOf, RAW, ROLLED, type Tier } from '../../../server/history/tiers.ts'
import { Seeded } from './seeded.ts'

export const ELECTIONS = 1_000
export const TERMS_EACH = 200
const IDENTITIES = 4
const DAY_MS = 24 * 3_600_000
export const SPAN_MS = 30 * DAY_MS
const SKETCHES = 400
const PER_TRANSACTION = 50_000

export const CLUSTER = 'bench'

export function electionAt(index: number): ElectionIdentity & { ref: ElectionRef } {
  const prefix = `/elections/team-${index % 40}/job-${index}/`
  return {
    ref: refOf('queue', prefix),
    layout: 'queue',
    prefix,
    prefixBase64: btoa(prefix),
    foundBy: 'key ends in its own lease id',
    confirmed: true,
  }
}

const ENDINGS: readonly (EndedBy & { share: number; silentMs: number | null; vacancyMs: number })[] = [
  {
    share: 0.55,
    cause: 'resigned or removed',
    evidence: 'its lease is alive, looked up 2 ms after the key went',
    silentMs: 1_200,
    vacancyMs: 4,
  },
  {
    share: 0.2,
    cause: 'handed off',
    by: 'ops',
    evidence: 'asked for at 03:12:07, released at revision 59',
    silentMs: 900,
    vacancyMs: 3,
  },
  {
    share: 0.22,
    cause: 'lease lost',
    evidence: 'its lease is gone, looked up 3 ms after the key went: it expired or was revoked',
    silentMs: 9_000,
    vacancyMs: 12,
  },
  { share: 0.03, cause: 'unobserved', evidence: 'it changed while Tenure could not see', silentMs: null, vacancyMs: 0 },
]

function endingOf(random: Seeded) {
  let left = random.next()
  for (const ending of ENDINGS) {
    left -= ending.share
    if (left < 0) return ending
  }
  return ENDINGS[0] as (typeof ENDINGS)[number]
}

/** Oldest first; the newest is open. */
export function termsOf(election: number, nowMs: number, random: Seeded): Term[] {
  const { prefix } = electionAt(election)
  const meanMs = SPAN_MS / TERMS_EACH
  const terms: Term[] = []
  let fromMs = nowMs - SPAN_MS
  let gapMs: number | null = null
  for (let at = 0; at < TERMS_EACH; at += 1) {
    const lease = (0x6940_0000_0000_0000n + BigInt(election * TERMS_EACH + at)).toString(16) as LeaseId
    const key = `${prefix}${lease}`
    const isLast = at === TERMS_EACH - 1
    const { silentMs, vacancyMs, share: _, ...endedBy } = endingOf(random)
    const toMs = Math.min(nowMs - 1_000, Math.round(fromMs + meanMs * (0.6 + 0.8 * random.next())))
    terms.push({
      ordinal: at + 1,
      epoch: 0,
      token: String(1_000 + at * ELECTIONS + election) as Revision,
      leader: { identity: `worker-${random.whole(IDENTITIES)}`, key, keyBase64: btoa(key), lease },
      from: instant(fromMs),
      fromAtLeast: false,
      to: isLast ? null : instant(toMs),
      gapMs,
      takeoverMs: 200 + random.whole(400),
      silentMs: isLast || silentMs === null ? null : silentMs + random.whole(4_000),
      endedBy: isLast ? null : endedBy,
    })
    gapMs = vacancyMs + random.whole(20)
    fromMs = toMs + gapMs
  }
  return terms
}

/** Many inserts, in transactions that a log holds. */
class Filler {
  private readonly database: Database
  private rows = 0

  constructor(database: Database) {
    this.database = database
    database.raw.exec('BEGIN')
  }

  run(sql: string, ...values: (string | number | bigint | null | Uint8Array)[]): void {
    this.database.statement(sql).run(...values)
    this.rows += 1
    if (this.rows % PER_TRANSACTION === 0) this.database.raw.exec('COMMIT; BEGIN')
  }

  done(): void {
    this.database.raw.exec('COMMIT')
  }
}

const ELECTION = `
  INSERT INTO elections (id, cluster_id, ref, layout, prefix, prefix_base64, found_by, confirmed, active_ms)
  VALUES (?, 1, ?, ?, ?, ?, ?, 1, ?)`
const EVENT = 'INSERT INTO events (election_id, at_ms, revision, type, body) VALUES (?, ?, ?, ?, ?)'
const SERIES = `
  INSERT INTO series (id, cluster_id, source, ref, member, identity, last_ms) VALUES (?, 1, 'holder', ?, '', ?, ?)`
const SAMPLE = 'INSERT INTO samples (block, series_id, offset_ms, seq, value) VALUES (?, ?, ?, ?, ?)'
const ROLLED_ROW = `
  INSERT INTO rolled (tier, block, series_id, slot, count, min, max, sketch) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

/** `write` stores facts as the server does. */
export function fillTerms(database: Database, nowMs: number, seed: number): void {
  const random = new Seeded(seed)
  const fill = new Filler(database)
  fill.run('INSERT INTO clusters (id, name, alive_ms) VALUES (1, ?, ?)', CLUSTER, nowMs)
  const events: { atMs: number; values: Parameters<Filler['run']> }[] = []
  for (let election = 0; election < ELECTIONS; election += 1) {
    const { ref, layout, prefix, prefixBase64, foundBy } = electionAt(election)
    fill.run(ELECTION, election + 1, ref, layout, prefix, prefixBase64, foundBy, nowMs)
    for (const term of termsOf(election, nowMs, random)) {
      const params = paramsOf(term)
      const names = Object.keys(params)
      const sql = `INSERT INTO terms (election_id, ${names.join(', ')}) VALUES (?${', ?'.repeat(names.length)})`
      fill.run(sql, election + 1, ...(Object.values(params) as (string | number | bigint | null)[]))
      events.push(...eventsOf(election + 1, term))
    }
  }
  events.sort((a, b) => a.atMs - b.atMs)
  for (const { values } of events) fill.run(...values)
  fill.done()
}

function* eventsOf(election: number, term: Term): Generator<{ atMs: number; values: Parameters<Filler['run']> }> {
  const event = (at: string, type: string, body: object) => {
    const atMs = Date.parse(at)
    return {
      atMs,
      values: [
        EVENT,
        election,
        atMs,
        BigInt(term.token),
        type,
        bodyOf({ at, revision: term.token, type, ...body } as Fact),
      ] as never,
    }
  }
  const { identity, keyBase64, lease } = term.leader
  const begun: Term = { ...term, to: null, silentMs: null, takeoverMs: null, endedBy: null }
  yield event(term.from, 'candidate-joined', { identity, keyBase64, lease })
  yield event(term.from, 'term-started', { term: begun })
  if (term.to === null) return
  yield event(term.to, 'candidate-left', { identity, keyBase64, lease })
  yield event(term.to, 'term-ended', {
    term: { ...term, endedBy: { cause: 'unobserved', evidence: 'key gone; its lease has not been looked up yet' } },
  })
  yield event(term.to, 'term-explained', { term })
}

/** `count` of one sketch each, as its tier holds it: made once, since a million of them would take an hour. */
function sketches(samples: number, random: Seeded) {
  return Array.from({ length: SKETCHES }, () => {
    const summary = new Summary()
    const median = 3 + random.next() * 4
    for (let at = 0; at < samples; at += 1) summary.add(random.roundTripMs(median))
    return summary.toRow()
  })
}

/** One sample a second of each election, at the widths and for as long as each tier keeps them. */
export function fillSamples(database: Database, nowMs: number, seed: number): void {
  const random = new Seeded(seed + 1)
  const fill = new Filler(database)
  for (let at = 0; at < ELECTIONS * IDENTITIES; at += 1) {
    fill.run(SERIES, at + 1, electionAt(Math.floor(at / IDENTITIES)).ref, `worker-${at % IDENTITIES}`, nowMs)
  }
  const seriesOf = (election: number, atMs: number) => {
    const who = Math.floor(atMs / (SPAN_MS / TERMS_EACH) + election) % IDENTITIES
    return election * IDENTITIES + who + 1
  }
  for (const tier of ROLLED) fillTier(fill, { tier, nowMs, random, seriesOf })
  for (let block = blockOf(RAW, nowMs - RAW.keepMs); block < blockOf(RAW, nowMs); block += 1) {
    for (let election = 0; election < ELECTIONS; election += 1) {
      for (let second = 0; second < RAW.blockMs / 1_000; second += 1) {
        const offsetMs = second * 1_000 + (election % 1_000)
        fill.run(SAMPLE, block, seriesOf(election, block * RAW.blockMs), offsetMs, 0, toStored(random.roundTripMs(5)))
      }
    }
  }
  for (const tier of ROLLED) {
    const uptoMs = Math.floor(nowMs / tier.widthMs) * tier.widthMs
    fill.run('INSERT INTO rollup_marks (tier, upto_ms) VALUES (?, ?)', tier.index, uptoMs)
  }
  fill.done()
}

interface TierFill {
  tier: Tier
  nowMs: number
  random: Seeded
  seriesOf(election: number, atMs: number): number
}

function fillTier(fill: Filler, { tier, nowMs, random, seriesOf }: TierFill): void {
  const rows = sketches(tier.widthMs / 1_000, random)
  const perBlock = tier.blockMs / tier.widthMs
  const endMs = Math.floor(nowMs / tier.widthMs) * tier.widthMs
  for (let block = blockOf(tier, nowMs - tier.keepMs); block <= blockOf(tier, nowMs); block += 1) {
    for (let election = 0; election < ELECTIONS; election += 1) {
      const series = seriesOf(election, block * tier.blockMs)
      for (let at = 0; at < perBlock; at += 1) {
        const fromMs = block * tier.blockMs + at * tier.widthMs
        if (fromMs >= endMs) break
        const { count, min, max, sketch } = random.pick(rows)
        fill.run(ROLLED_ROW, tier.index, block, series, at, count, toStored(min), toStored(max), sketch)
      }
    }
  }
}
