/** Whatever is refused of somebody who may act is in the audit log: what no verb came to see, too. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Actions } from '../actions/actions.ts'
import { MOST_IN_WINDOW } from '../actions/strangers.ts'
import { loopbackOpen } from '../auth/auth.ts'
import { cameFrom } from '../auth/auth-for-test.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import type { Runtime } from '../runtime-slot.ts'
import { actionsOn } from './actions-for-test.ts'
import { answer } from './answer.ts'

let audit: FakeAudit
let actions: Actions
beforeEach(() => {
  audit = new FakeAudit()
  actions = actionsOn(audit)
})
afterEach(() => actions.stop())

async function call(path: string, input: object) {
  const headers = new Headers([...cameFrom(), ['content-type', 'application/json']])
  const runtime = { auth: loopbackOpen, actions, audit, watchers: new Map(), config: {} } as unknown as Runtime
  const request = new Request(`http://localhost/api/trpc/actions.${path}`, {
    ...{ method: 'POST', headers, body: JSON.stringify(input) },
  })
  const response = await answer(request, runtime)
  return { status: response.status, text: await response.text() }
}

const own = { cluster: 'nope', operation: 'op-12345678', reason: 'r' }
const election = { ...own, ref: 'q~bm9uZQ' }
const scope = { ...own, scopeBase64: 'YQ==' }
const until = '2026-01-01T00:00:00Z'
const stop = { match: 'exact', mode: 'cooperative', until, typedName: 'a' }
const told = () => audit.entries.map(({ verb, code, subject, operation }) => [verb, code, subject.cluster, operation])

test.each([
  ['handoff', 'handoff', { ...election, token: 'x', method: 'ask' }],
  ['preflight', 'handoff', { ...election, action: 'handoff' }],
  ['confirmElection', 'confirmElection', election],
  ['acknowledgeRollback', 'acknowledgeRollback', { ...own, to: '1' }],
  ['engageSwitch', 'engage', { ...scope, ...stop }],
  ['extendSwitch', 'extend', { ...scope, until, nonce: 'n' }],
  ['releaseSwitch', 'release', { ...scope, nonce: 'n', typedName: 'a' }],
  ['confirmRelease', 'confirmRelease', { ...scope, nonce: 'n', typedName: 'a' }],
  ['armSwitch', 'arm', { ...scope, match: 'exact' }],
])('%s: a cluster that is none, and an input that is none', async (path, verb, input) => {
  expect((await call(path, input)).status).toBe(409)
  expect(told()).toEqual([[verb, 'unknown-election', 'nope', 'op-12345678']])
  expect((await call(path, { ...input, cluster: 7 })).status).toBe(400)
  expect(told().at(-1)).toEqual([verb, 'bad-input', '', 'op-12345678'])
  expect(audit.entries.at(-1)?.words).toContain('cluster')
  expect(audit.entries).toHaveLength(2)
})

test.each([
  ['cluster', 100],
  ['scopeBase64', 3_000],
  ['nonce', 200],
  ['typedName', 3_000],
])('%s has at most %i characters', async (field, most) => {
  const input = { ...scope, nonce: 'n', typedName: 'a' }
  expect((await call('releaseSwitch', { ...input, [field]: 'A'.repeat(most) })).status).toBe(409)
  expect((await call('releaseSwitch', { ...input, [field]: 'A'.repeat(most + 4) })).status).toBe(400)
  expect((await call('confirmElection', { ...election, ref: 'A'.repeat(3_001) })).status).toBe(400)
})

test('neither one request nor many fill the log, and no answer repeats what was sent at length', async () => {
  const { text } = await call('confirmElection', { ...election, ref: 'A'.repeat(3_000), cluster: 'c'.repeat(100) })
  expect(text.length).toBeLessThan(1_500)
  await call('engageSwitch', { ...own, nonce: 'n'.repeat(500_000) })
  await call('armSwitch', { ...own, cluster: 'c'.repeat(500_000), ref: 'r'.repeat(500_000) })
  for (const entry of audit.entries) expect(JSON.stringify(entry).length).toBeLessThan(6_000)
  for (let n = 0; n < MOST_IN_WINDOW + 5; n += 1) await call('armSwitch', { ...scope, match: 'exact' })
  expect(audit.entries).toHaveLength(MOST_IN_WINDOW)
})
