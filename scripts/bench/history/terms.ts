/** Terms in the tables, as thirty days of watching leave them. */
import type { Fact } from '../../../lib/election/changes.ts'
import type { Term } from '../../../lib/election/types.ts'
import type { Database, Params } from '../../../server/history/database.ts'
import { bodyOf } from '../../../server/history/event-body.ts'
import { paramsOf } from '../../../server/history/term-row.ts'
import { PUT } from '../../../server/history/write-transitions.ts'
import { CLUSTER, type Drawn, electionAt, SPAN_MS, termsOf } from './elections.ts'
import { Filler } from './filler.ts'

const ELECTION = `
  INSERT INTO elections (id, cluster_id, ref, layout, prefix, prefix_base64, found_by, confirmed, active_ms)
  VALUES (?, 1, ?, ?, ?, ?, ?, 1, ?)`
const EVENT = 'INSERT INTO events (election_id, at_ms, revision, type, body) VALUES (?, ?, ?, ?, ?)'

const CANDIDACY = `
  INSERT INTO candidacies (election_id, epoch, create_revision, mod_revision, key_base64, identity, value_bytes, lease,
    nested, held, since_ms, since_at_least, from_ms, to_ms)
  VALUES (?, 0, ?, ?, ?, ?, 8, ?, 0, NULL, ?, 0, ?, ?)`

/** Each leader stood in the queue for two terms before it led: three stand at any time. */
function fillCandidacies(fill: Filler, election: number, terms: readonly Term[]): void {
  for (const [at, { token, leader, to }] of terms.entries()) {
    const sinceMs = Date.parse(terms[Math.max(0, at - 2)]?.from ?? '')
    const { keyBase64, identity, lease } = leader
    const toMs = at >= terms.length - 3 ? null : Date.parse(to ?? '')
    fill.run(CANDIDACY, election, BigInt(token), BigInt(token), keyBase64, identity, lease, sinceMs, sinceMs, toMs)
  }
}

/** All that is kept of terms: themselves, their transitions, candidacies and events. */
export function fillTerms(database: Database, drawn: Drawn): void {
  const { nowMs, size } = drawn
  const fill = new Filler(database)
  fill.run('INSERT INTO clusters (id, name, alive_ms, kept_ms) VALUES (1, ?, ?, ?)', CLUSTER, nowMs, nowMs - SPAN_MS)
  const events: { atMs: number; values: Parameters<Filler['run']> }[] = []
  for (let election = 0; election < size.elections; election += 1) {
    const { ref, layout, prefix, prefixBase64, foundBy } = electionAt(election)
    fill.run(ELECTION, election + 1, ref, layout, prefix, prefixBase64, foundBy, nowMs)
    const terms = termsOf(election, drawn)
    fillCandidacies(fill, election + 1, terms)
    for (const term of terms) {
      const params = paramsOf(term)
      const names = Object.keys(params)
      const sql = `INSERT INTO terms (election_id, ${names.join(', ')}) VALUES (?${', ?'.repeat(names.length)})`
      fill.run(sql, election + 1, ...(Object.values(params) as (string | number | bigint | null)[]))
      events.push(...eventsOf(election + 1, term))
    }
  }
  for (const row of database.statement('SELECT election_id, epoch, token FROM terms').all()) {
    database.statement(PUT).get(row as Params)
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
