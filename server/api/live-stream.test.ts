import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Change } from '../../lib/election/changes.ts'
import { steadyClock } from '../../lib/shared/clock.ts'
import { loopbackOpen } from '../auth/auth.ts'
import type { Runtime } from '../runtime-slot.ts'
import { Hub } from '../watch/hub.ts'
import { contextOf } from './context.ts'
import { liveStream } from './live-stream.ts'
import { appRouter } from './router.ts'

let hub: Hub
let runtime: Runtime

beforeEach(() => {
  const clock = { ...steadyClock(), nowMs: () => 1_700_000_000_000 }
  hub = new Hub({ clock, bootId: 'boot', build: 'build' })
  runtime = { hub, clock, auth: loopbackOpen, watchers: new Map() } as unknown as Runtime
})
afterEach(() => hub.stop())

const change: Change = { type: 'forgotten', cluster: 'zürich', ref: 'q~L2Ev' as never }
const requestOf = (query = '', init: RequestInit = {}) =>
  new Request(`http://localhost/api/trpc/live.events${query}`, init)

const byTrpc = (req: Request) =>
  fetchRequestHandler({ endpoint: '/api/trpc', req, router: appRouter, createContext: () => contextOf(req, runtime) })

async function byUs(request: Request): Promise<Response> {
  const response = await liveStream(request, await contextOf(request, runtime))
  if (response === null) throw new Error('left to tRPC')
  return response
}

const headersOf = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => name !== 'vary'))

test.each([
  ['from the beginning', requestOf()],
  ['after an id in the input', requestOf(`?input=${encodeURIComponent('{"lastEventId":"boot-0"}')}`)],
  ['after an id in the address', requestOf('?lastEventId=boot-0')],
  ['after an id in the header', requestOf('', { headers: { 'Last-Event-ID': 'boot-0' } })],
  ['after an unknown id', requestOf('?input=null&Last-Event-Id=former-7')],
])('sends what tRPC would send, %s', async (_, request) => {
  const answers = await Promise.all([byUs(request.clone()), byTrpc(request.clone())])
  const texts = answers.map((answer) => answer.text())
  await expect.poll(() => hub.viewerCount).toBe(2)
  hub.push([change])
  await new Promise((resolve) => setTimeout(resolve, 50))
  hub.stop()
  const [ours, theirs] = await Promise.all(texts)
  expect(ours).toBe(theirs)
  expect(ours).toContain('"cluster":"zürich"')
  const [ourHeaders, theirHeaders] = answers.map(headersOf)
  expect(ourHeaders).toEqual(theirHeaders)
})

test.each([
  ['another procedure', new Request('http://localhost/api/trpc/clusters.list')],
  ['a POST', requestOf('', { method: 'POST', body: '{}' })],
  ['an input that is no JSON', requestOf('?input={')],
  ['an input that the procedure does not take', requestOf('?input={"lastEventId":7}')],
])('leaves %s to tRPC', async (_, request) => {
  expect(await liveStream(request, await contextOf(request, runtime))).toBeNull()
})

test('a viewer that leaves is forgotten, by its stream and by its request', async () => {
  const leaving = new AbortController()
  const left = await byUs(requestOf('', { signal: leaving.signal }))
  const cancelled = await byUs(requestOf())
  const readers = [left, cancelled].map(({ body }) => body?.getReader())
  for (const reader of readers) await reader?.read()
  await expect.poll(() => hub.viewerCount).toBe(2)
  leaving.abort()
  await readers[1]?.cancel()
  await expect.poll(() => hub.viewerCount).toBe(0)
})
