/** Who stands in a queue, on its way into the table: in pieces, so that a queue of thousands stalls nobody. */
import type { QueueChange } from '../../lib/election/candidacies.ts'
import type { Candidate } from '../../lib/election/types.ts'
import type { Database, Params } from './database.ts'
import { epochMs } from './term-row.ts'

export const STANDING_PER_PIECE = 500

/** A part of a change, or the change itself. */
export interface QueuePiece {
  atMs: number
  /** By keyBase64. */
  stand: ReadonlyMap<string, Params>
  left: readonly string[]
  /** Every key after `after` up to `upto` that is not in `stand` has gone; null: nothing is said of others. */
  whole: { after: string; upto: string | null } | null
}

interface Open {
  id: bigint
  key_base64: string
  epoch: bigint
  mod_revision: bigint
}

const OPEN = `SELECT id, key_base64, epoch, mod_revision FROM candidacies INDEXED BY candidacies_open
  WHERE election_id = ? AND key_base64 = ? AND to_ms IS NULL`
const OPEN_BETWEEN = `SELECT id, key_base64, epoch, mod_revision FROM candidacies INDEXED BY candidacies_open
  WHERE election_id = ? AND key_base64 > ? AND key_base64 <= ? AND to_ms IS NULL`
const CLOSE = 'UPDATE candidacies SET to_ms = max(from_ms, ?) WHERE id = ?'
const INSERT = `
  INSERT INTO candidacies (election_id, epoch, create_revision, mod_revision, key_base64, identity, value_bytes, lease,
    nested, held, since_ms, since_at_least, from_ms)
  VALUES (:election_id, :epoch, :create_revision, :mod_revision, :key_base64, :identity, :value_bytes, :lease,
    :nested, :held, :since_ms, :since_at_least, :from_ms)`
/** After every base64. */
const END = '~'

/** Throws on a revision or a time that is none. */
export function piecesOf(change: QueueChange): QueuePiece[] {
  const atMs = epochMs(change.at)
  const stand = change.stand.map((candidate) => [candidate.keyBase64, rowOf(candidate, change.epoch, atMs)] as const)
  if (!change.whole) return [{ atMs, stand: new Map(stand), left: change.left, whole: null }]
  stand.sort(([a], [b]) => (a < b ? -1 : 1))
  const pieces: QueuePiece[] = []
  for (let from = 0; from === 0 || from < stand.length; from += STANDING_PER_PIECE) {
    const part = stand.slice(from, from + STANDING_PER_PIECE)
    const isLast = from + STANDING_PER_PIECE >= stand.length
    const after = stand[from - 1]?.[0] ?? ''
    const upto = isLast ? null : (part.at(-1)?.[0] ?? null)
    pieces.push({ atMs, stand: new Map(part), left: [], whole: { after, upto } })
  }
  return pieces
}

function rowOf(candidate: Candidate, epoch: number, atMs: number): Params {
  return {
    epoch,
    create_revision: BigInt(candidate.createRevision),
    mod_revision: BigInt(candidate.modRevision),
    key_base64: candidate.keyBase64,
    identity: candidate.identity,
    value_bytes: candidate.valueBytes,
    lease: candidate.lease,
    nested: candidate.nested ? 1 : 0,
    held: candidate.held ? JSON.stringify(candidate.held) : null,
    since_ms: epochMs(candidate.since),
    since_at_least: candidate.sinceAtLeast ? 1 : 0,
    from_ms: atMs,
  }
}

/** Inside a transaction. A stretch that goes on is left as it is, so that nothing is there twice. */
export function writeQueue(database: Database, election: bigint, { atMs, stand, left, whole }: QueuePiece): void {
  const fresh = new Map(stand)
  for (const open of openOf(database, election, { stand, left, whole })) {
    const now = stand.get(open.key_base64)
    const goesOn = now?.epoch === Number(open.epoch) && now.mod_revision === open.mod_revision
    if (goesOn) fresh.delete(open.key_base64)
    else database.statement(CLOSE).run(atMs, open.id)
  }
  for (const row of fresh.values()) database.statement(INSERT).run({ election_id: election, ...row })
}

function openOf(database: Database, election: bigint, { stand, left, whole }: Omit<QueuePiece, 'atMs'>): Open[] {
  if (whole !== null) {
    const { after, upto } = whole
    return database.statement(OPEN_BETWEEN).all(election, after, upto ?? END) as unknown as Open[]
  }
  return [...stand.keys(), ...left].flatMap((key) => database.statement(OPEN).all(election, key) as unknown as Open[])
}
