/** A resource behind HTTP, with Node's own server and fetch. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FencingError, type FencingErrorCode } from './errors.ts'
import { fromHeaders, toHeaders } from './headers.ts'
import { type MemoryFence, memoryFence } from './memory.ts'
import { parseToken } from './token.ts'

/** As docs/fencing.md proposes. */
const STATUS: Record<FencingErrorCode, number> = {
  'stale-token': 409,
  'missing-token': 428,
  'bad-input': 400,
  busy: 503,
  misuse: 500,
}

let server: Server
let fence: MemoryFence<string[]>
let url: string

beforeEach(async () => {
  fence = memoryFence<string[]>({ state: [] })
  server = createServer(async (request, response) => {
    try {
      const token = fromHeaders(request.headers)
      await fence.write({ resource: 'settlement', token }, ({ db }) => void db.push(request.url ?? ''))
      response.writeHead(204).end()
    } catch (error) {
      const status = error instanceof FencingError ? STATUS[error.code] : 500
      response.writeHead(status).end((error as Error).message)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const put = (path: string, headers: HeadersInit) => fetch(url + path, { method: 'PUT', headers })

it('a request of a former leader is refused with both tokens, and changes nothing', async () => {
  expect((await put('/older', toHeaders(parseToken('0.9007199254740993')))).status).toBe(204)
  expect((await put('/newer', toHeaders(parseToken('0.9007199254740994')))).status).toBe(204)
  const refused = await put('/late', toHeaders(parseToken('0.9007199254740993')))
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('0.9007199254740993 for "settlement": it has accepted 0.9007199254740994')
  expect(fence.read()).toEqual(['/older', '/newer'])
  expect(fence.rejected).toBe(1)
})

it('a request without the header, with two of them or with a bad one is refused', async () => {
  expect((await put('/', {})).status).toBe(428)
  const twice = await put('/', [
    ['Tenure-Fencing-Token', '0.1'],
    ['tenure-fencing-token', '0.2'],
  ])
  expect(twice.status).toBe(400)
  expect((await put('/', { 'Tenure-Fencing-Token': '0x1.1' })).status).toBe(400)
  expect(fence.read()).toEqual([])
})
