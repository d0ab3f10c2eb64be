import { setTimeout as pause } from 'node:timers/promises'
import type { Etcd3 } from './etcd-client.ts'
import { grantRenewedLease, type Renewal } from './renewal.ts'
import type { Report, Seat, SeatControl } from './seat.ts'

const config = { ttl: 30, loop_wait: 10, retry_timeout: 10, maximum_lag_on_failover: 1_048_576 }

/**
 * Looks like Patroni from etcd: one lease per member carries `members/<name>` and, for the leader,
 * the `leader` key, which is created only if it is not there. `config` has no lease.
 */
export function startSingleKeyMember(client: Etcd3, seat: Seat, report: Report): SeatControl {
  const leaving = new AbortController()
  const keyOf = (name: string) => Buffer.from(`${seat.prefix}/${name}`)
  const leaderKey = keyOf('leader')
  let held: string | undefined

  const createIfAbsent = async (key: Buffer, value: string, lease = '0') => {
    const answer = await client.kv.txn({
      compare: [{ key, target: 'Create', result: 'Equal', create_revision: '0' }],
      success: [{ request_put: { key, value: Buffer.from(value), lease } }],
    })
    return answer.succeeded ? answer.header.revision : undefined
  }

  const releaseLeader = async (createRevision: string) => {
    await client.kv.txn({
      compare: [{ key: leaderKey, target: 'Create', result: 'Equal', create_revision: createRevision }],
      success: [{ request_delete_range: { key: leaderKey } }],
    })
    report({ type: 'resigned', createRevision })
  }

  async function loop(renewal: Renewal, role: () => string): Promise<void> {
    let written = ''
    while (!leaving.signal.aborted && !renewal.lost.aborted) {
      if (written !== role()) {
        written = role()
        const value = JSON.stringify({
          role: written,
          state: 'running',
          conn_url: `postgres://${seat.name}:5432/postgres`,
        })
        await client.kv.put({ key: keyOf(`members/${seat.name}`), value: Buffer.from(value), lease: renewal.lease })
      }
      const won = held ? undefined : await createIfAbsent(leaderKey, seat.name, renewal.lease)
      if (won) {
        held = won
        const keyBase64 = leaderKey.toString('base64')
        report({ type: 'leading', lease: renewal.lease, keyBase64, createRevision: won })
        continue
      }
      await pause(1_000, undefined, { signal: leaving.signal }).catch(() => {})
    }
  }

  async function session(): Promise<void> {
    await createIfAbsent(keyOf('config'), JSON.stringify(config))
    const renewal = await grantRenewedLease(client, seat.ttlSeconds)
    held = undefined
    try {
      await loop(renewal, () => (held ? 'primary' : 'replica'))
    } finally {
      held = undefined
      await renewal.revoke().catch(() => {})
      if (renewal.lost.aborted) report({ type: 'lost', lease: renewal.lease })
    }
  }

  async function run(): Promise<void> {
    while (!leaving.signal.aborted) {
      await session().catch((error: Error) => report({ type: 'retry', reason: error.message }))
      await pause(1_000, undefined, { signal: leaving.signal }).catch(() => {})
    }
    report({ type: 'left' })
  }

  const done = run()
  return {
    resign: () => {
      if (held) void releaseLeader(held).catch(() => {})
      held = undefined
    },
    leave: () => {
      leaving.abort()
      return done
    },
  }
}
