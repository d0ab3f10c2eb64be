/**
 * A process with several candidates over raw etcd calls, told what to do on its standard input. A
 * candidate is no more than keys on a renewed lease: whoever's key is oldest leads, nobody waits.
 */
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, leaseHex } from '../../e2e/harness/raw-etcd.ts'
import type { Deed } from './model.ts'
import { Renewals } from './renewals.ts'

/** `prefixes` are queues (with their last slash) or single keys (without). */
export type Order =
  | { do: 'join'; id: string; prefixes: string[]; ttl: number }
  /** Guarded delete of all its keys; they come back on the same lease after `againMs`. */
  | { do: 'resign'; id: string; againMs: number }
  | { do: 'proclaim'; id: string }
  /** Its lease goes; it comes back with another one after `againMs`. */
  | { do: 'revoke'; id: string; againMs: number }
  /** Guarded delete, then revoke, and never again. */
  | { do: 'leave'; id: string }

interface Candidate {
  id: string
  prefixes: string[]
  ttl: number
  lease: string | null
  /** Key → create revision. */
  keys: Map<string, string>
  /** Rises with every order: what an older one still has to do is not done any more. */
  turn: number
}

const endpoints = (process.argv[2] ?? '').split(',')
const client = connect(endpoints)
const candidates = new Map<string, Candidate>()
const renewals = new Renewals(endpoints, {
  onLost: (lease) => {
    for (const candidate of candidates.values()) if (candidate.lease === lease) void comeBack(candidate, 700)
  },
  onAlive: (lease, sentMs) => tell({ type: 'alive', lease, atMs: sentMs }),
})

function tell(deed: Deed): void {
  process.stdout.write(`${JSON.stringify(deed)}\n`)
}

const keyIn = (prefix: string, lease: string) => (prefix.endsWith('/') ? `${prefix}${leaseHex(lease)}` : prefix)

async function putKeys(candidate: Candidate, lease: string): Promise<void> {
  for (const prefix of candidate.prefixes) {
    const key = Buffer.from(keyIn(prefix, lease))
    const answer = await client.kv.txn({
      compare: [{ key, target: 'Create', result: 'Equal', create_revision: '0' }],
      success: [{ request_put: { key, value: Buffer.from(candidate.id), lease } }],
      failure: [{ request_range: { key } }],
    })
    const there = answer.responses[0]?.response_range?.kvs[0]
    // A single key may be somebody else's; then this candidate tries again later.
    if (answer.succeeded) candidate.keys.set(key.toString(), answer.header.revision)
    else if (there?.lease === lease) candidate.keys.set(key.toString(), there.create_revision)
  }
}

/** Until it has all its keys: a single key may be taken for a long time. */
async function enter(candidate: Candidate): Promise<void> {
  const { turn } = candidate
  while (candidate.turn === turn && candidate.keys.size < candidate.prefixes.length) {
    try {
      if (candidate.lease === null) {
        const { ID, TTL } = await client.leaseClient.leaseGrant({ TTL: candidate.ttl })
        tell({ type: 'granted', lease: ID, atMs: Date.now() })
        candidate.lease = ID
        renewals.add(ID, Number(TTL) * 1_000)
      }
      await putKeys(candidate, candidate.lease)
    } catch {
      // Again in a moment.
    }
    await pause(500)
  }
}

async function comeBack(candidate: Candidate, againMs: number): Promise<void> {
  candidate.turn += 1
  const { turn } = candidate
  if (candidate.lease !== null) renewals.drop(candidate.lease)
  candidate.lease = null
  candidate.keys.clear()
  await pause(againMs)
  if (candidate.turn === turn) await enter(candidate)
}

async function deleteKeys(candidate: Candidate): Promise<void> {
  const { lease } = candidate
  if (lease === null) return
  for (const [text, created] of candidate.keys) {
    const key = Buffer.from(text)
    const atMs = Date.now()
    candidate.keys.delete(text)
    try {
      const answer = await client.kv.txn({
        compare: [{ key, target: 'Create', result: 'Equal', create_revision: created }],
        success: [{ request_delete_range: { key } }],
      })
      const revision = Number(answer.header.revision)
      if (answer.succeeded) tell({ type: 'deleted', key: text, lease, revision, atMs })
      // The client asks again by itself: a "no" may be the answer to the second time.
      else tell({ type: 'delete-unanswered', key: text, lease, atMs })
    } catch {
      tell({ type: 'delete-unanswered', key: text, lease, atMs })
    }
  }
}

async function revoke(lease: string): Promise<void> {
  tell({ type: 'revoke-sent', lease, atMs: Date.now() })
  await client.leaseClient.leaseRevoke({ ID: lease }).catch(() => {})
}

async function proclaim(candidate: Candidate): Promise<void> {
  const { lease } = candidate
  if (lease === null) return
  for (const [text, created] of candidate.keys) {
    const key = Buffer.from(text)
    await client.kv
      .txn({
        compare: [{ key, target: 'Create', result: 'Equal', create_revision: created }],
        success: [{ request_put: { key, value: Buffer.from(candidate.id), lease } }],
      })
      .catch(() => {})
  }
}

async function obey(order: Order): Promise<void> {
  if (order.do === 'join') {
    const { id, prefixes, ttl } = order
    const candidate: Candidate = { id, prefixes, ttl, lease: null, keys: new Map(), turn: 0 }
    candidates.set(id, candidate)
    return enter(candidate)
  }
  const candidate = candidates.get(order.id)
  if (candidate === undefined) return
  const { lease } = candidate
  if (order.do === 'proclaim') return proclaim(candidate)
  if (order.do === 'revoke') {
    if (lease === null) return
    renewals.drop(lease)
    await revoke(lease)
    return comeBack(candidate, order.againMs)
  }
  candidate.turn += 1
  const { turn } = candidate
  if (lease !== null) renewals.reportFor(lease, 15_000)
  await deleteKeys(candidate)
  if (order.do === 'resign') {
    await pause(order.againMs)
    return candidate.turn === turn ? enter(candidate) : undefined
  }
  candidates.delete(order.id)
  if (lease === null) return
  renewals.drop(lease)
  await revoke(lease)
}

createInterface({ input: process.stdin })
  .on('line', (line) => void obey(JSON.parse(line) as Order))
  .on('close', () => process.exit(0))
