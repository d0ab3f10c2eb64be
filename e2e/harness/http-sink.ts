/** An HTTP server that records what it gets, and answers as it is told: where alerts are sent in tests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SunkRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  atMs: number
}

export type SinkAnswer =
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  /** Takes the request and never answers. */
  | 'hang'
  /** Takes the request and closes the connection. */
  | 'drop'

export interface HttpSink {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** In the order in which they were complete. */
  readonly requests: readonly SunkRequest[]
  /** For all requests until told otherwise; 200 at first. A function may look at the request. */
  answer(how: SinkAnswer | ((request: SunkRequest) => SinkAnswer)): void
  /** Resolves when `count` requests have come in all. */
  received(count: number, withinMs?: number): Promise<readonly SunkRequest[]>
  /** Nobody listens any more; `start` listens again on the same port. */
  stop(): Promise<void>
  start(): Promise<void>
}

const OK: SinkAnswer = { status: 200, body: 'ok' }

async function readRequest(request: IncomingMessage): Promise<SunkRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString('utf8'),
    atMs: performance.now(),
  }
}

function give(response: ServerResponse, how: SinkAnswer): void {
  if (how === 'hang') return
  if (how === 'drop') {
    response.destroy()
    return
  }
  const end = () => response.writeHead(how.status, how.headers).end(how.body ?? '')
  if (how.afterMs === undefined) end()
  else setTimeout(end, how.afterMs)
}

export async function startHttpSink(): Promise<HttpSink> {
  const requests: SunkRequest[] = []
  const waiting = new Set<() => void>()
  let how: SinkAnswer | ((request: SunkRequest) => SinkAnswer) = OK
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const read = await readRequest(request).catch(() => undefined)
    if (read === undefined) return
    requests.push(read)
    give(response, typeof how === 'function' ? how(read) : how)
    for (const look of waiting) look()
  }
  const server = createServer((request, response) => void take(request, response))
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve())
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    answer: (next) => {
      how = next
    },
    received: (count, withinMs = 5_000) =>
      new Promise((resolve, reject) => {
        const settle = (done: () => void) => {
          clearTimeout(timer)
          waiting.delete(look)
          done()
        }
        const look = () => void (requests.length >= count && settle(() => resolve(requests)))
        const timer = setTimeout(() => {
          settle(() => reject(new Error(`${requests.length} of ${count} requests came within ${withinMs} ms`)))
        }, withinMs)
        waiting.add(look)
        look()
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    start: () => listen(port),
  }
}
