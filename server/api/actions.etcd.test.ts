/** Handing off by the API alone, held against what its documentation promises. */
import { TRPCError } from '@trpc/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, enterCandidate } from '../../e2e/harness/raw-etcd.ts'
import { refOf } from '../../lib/election/ids.ts'
import { eventually } from '../watch/watch-for-test.ts'
import { handoffs, operation, preflight } from './actions-contract-for-test.ts'
import { type Serving, serve } from './serve-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let serving: Serving

beforeAll(async () => {
  etcd = await startEtcd()
  client = connect(etcd.endpoints)
  serving = await serve({ endpoints: etcd.endpoints, watch: ['/el/'] })
})
afterAll(async () => {
  await serving.stop()
  client.close()
  await etcd.stop()
})

const ref = refOf('queue', '/el/a/')
const refusalIn = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof TRPCError ? (error.cause as { refusal?: unknown } | undefined)?.refusal : error
}

test('preflight, handoff, a replay, a second use of the token, and what is told of it afterwards', async () => {
  const { actions } = serving.caller
  for (const value of ['worker-b', 'worker-c'])
    await enterCandidate(client, { prefix: '/el/a', value, ttlSeconds: 300 })
  const view = serving.runtime.watchers.get('test')?.elections.view
  expect(await eventually(() => view?.elections.get(ref)?.candidates.length === 2)).toBe(true)

  const seen = preflight.parse(await actions.preflight({ cluster: 'test', ref, action: 'handoff' }))
  expect(seen).toMatchObject({
    defaultMethod: 'revoke-session',
    leader: { identity: 'worker-b' },
    term: { ordinal: 1 },
  })
  const input = {
    ...{ cluster: 'test', ref, token: seen.token, method: 'revoke-session' as const },
    ...{ reason: 'kernel patch', operation: 'op-of-the-api-test' },
  }
  const done = operation.parse(await actions.handoff(input))
  expect(done).toMatchObject({ outcome: { is: 'verified' }, handoff: { successor: { identity: 'worker-c' } } })
  expect(operation.parse(await actions.handoff(input))).toMatchObject({ id: done.id, outcome: done.outcome })
  const again = actions.handoff({ ...input, operation: 'op-of-another-click' })
  expect(await refusalIn(again)).toMatchObject({ code: 'changed', is: expect.stringMatching(/^worker-c \(rev \d+\)$/) })

  expect(operation.parse(await actions.operation({ operation: done.id })).id).toBe(done.id)
  const known = handoffs.parse(await actions.handoffs({ cluster: 'test', ref }))
  expect(known.operations.map(({ id }) => id)).toEqual([done.id])
  const next = preflight.parse(await actions.preflight({ cluster: 'test', ref, action: 'remove-key' }))
  expect(next).toMatchObject({ coolDown: { operation: done.id }, refusal: { code: 'no-standby' } })
})

test('what is not as documented is refused before anything is read', async () => {
  const { actions } = serving.caller
  const good = { cluster: 'test', ref, token: 'x', method: 'ask' as const, reason: 'r', operation: 'op-12345678' }
  for (const wrong of [
    { deadlineMs: 1_999 },
    { deadlineMs: 300_001 },
    { operation: 'short' },
    { method: 'delete' as never },
    { target: { createRevision: '1', lease: 'ff' } },
    { reason: 'x'.repeat(2_001) },
  ]) {
    await expect(actions.handoff({ ...good, ...wrong })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  }
  expect(await refusalIn(actions.handoff({ ...good, ref: 'q~bm9uZQ' }))).toMatchObject({ code: 'unknown-election' })
})
