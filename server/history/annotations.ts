/** Notes and acknowledgements of terms, in the table and back. */
import type { Annotation } from '../../lib/election/annotations.ts'
import type { Revision } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import type { Database } from './database.ts'
import type { Annotate, Annotating, TermQuery } from './history.ts'
import { epochMs } from './term-row.ts'
import { electionIds } from './terms.ts'

const MOST = 1_000

const NEWEST_NOTE = `
  SELECT id, text, by FROM annotations
  WHERE election_id = ? AND epoch = ? AND token = ? AND kind = 'note' ORDER BY id DESC LIMIT 1`
const IS_TERM = 'SELECT 1 FROM terms WHERE election_id = ? AND epoch = ? AND token = ?'
const ACKNOWLEDGED = `
  SELECT 1 FROM annotations WHERE election_id = ? AND epoch = ? AND token = ? AND kind = 'acknowledged' LIMIT 1`
const INSERT = `
  INSERT INTO annotations (election_id, epoch, token, kind, at_ms, by, text)
  VALUES (:election_id, :epoch, :token, :kind, :at_ms, :by, :text)`

/** Of one term where `term` is given, else of the whole election; oldest first, at most the newest 1,000. */
export async function readAnnotations(database: Database, query: TermQuery): Promise<Annotation[]> {
  const ids = await electionIds(database, query.cluster, query.ref)
  if (ids === null) return []
  let rows = database.db.selectFrom('annotations').selectAll().where('election_id', '=', ids.election)
  if (query.term !== undefined) {
    rows = rows.where('epoch', '=', BigInt(query.term.epoch)).where('token', '=', BigInt(query.term.token))
  }
  const found = await rows.orderBy('id', 'desc').limit(MOST).execute()
  return found.reverse().map((row) => ({
    id: row.id.toString(),
    epoch: Number(row.epoch),
    token: row.token.toString() as Revision,
    kind: row.kind as Annotation['kind'],
    at: instant(Number(row.at_ms)),
    by: row.by,
    text: row.text,
  }))
}

/** In one transaction with what it depends on: a note is written after the version that its writer has read. */
export async function annotate(database: Database, { cluster, ref, ...asked }: Annotate): Promise<Annotating> {
  const ids = await electionIds(database, cluster, ref)
  if (ids === null) return { outcome: 'no-such-term' }
  const term = [ids.election, asked.epoch, BigInt(asked.token)] as const
  return database.transact(() => {
    if (database.statement(IS_TERM).get(...term) === undefined) return { outcome: 'no-such-term' }
    if (asked.kind === 'acknowledged') {
      if (database.statement(ACKNOWLEDGED).get(...term) !== undefined) return { outcome: 'as-it-was' }
    } else {
      const newest = database.statement(NEWEST_NOTE).get(...term)
      const [id, text, by] = [String(newest?.id ?? ''), String(newest?.text ?? ''), String(newest?.by ?? '')]
      if ((asked.after ?? '') !== id) return { outcome: 'changed-meanwhile', by, text }
      if (text === asked.text) return { outcome: 'as-it-was' }
    }
    database.statement(INSERT).run({
      election_id: ids.election,
      epoch: asked.epoch,
      token: BigInt(asked.token),
      kind: asked.kind,
      at_ms: epochMs(asked.at),
      by: asked.by,
      text: asked.kind === 'note' ? asked.text : '',
    })
    return { outcome: 'written' }
  })
}
