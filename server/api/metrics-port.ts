/** `/metrics` on a port of its own: nothing else is there. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopbackAddress } from '../config/loopback.ts'
import { METRICS_HOST } from '../config/metrics.ts'
import { pathOf } from '../request-path.ts'
import type { Runtime } from '../runtime-slot.ts'
import { type MetricsRefusal, refusalHeaders, scrape, whyNotByToken } from './metrics.ts'

type Served = Pick<Runtime, 'metrics' | 'metricsToken'> & { config: Pick<Runtime['config'], 'metrics'> }

/** Without a token only this machine may ask, and no page whose name was made to point here (DNS rebinding). */
function isAskedAsLoopback({ headers }: IncomingMessage): boolean {
  const url = `http://${headers.host ?? ''}`
  if (!URL.canParse(url)) return false
  return isLoopbackAddress(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

function whyNot(request: IncomingMessage, served: Served): MetricsRefusal | null {
  if (pathOf(request.url) !== '/metrics') return { status: 404, why: 'Only /metrics is served here.' }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, why: `${request.method} is not answered here: use GET or HEAD.` }
  }
  if (served.metricsToken !== null) return whyNotByToken(request.headers.authorization, served)
  if (isAskedAsLoopback(request)) return null
  return { status: 421, why: 'Without metrics.tokenFile only a loopback name, such as 127.0.0.1, is answered.' }
}

async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  const refused = whyNot(request, served)
  if (refused !== null) {
    response.writeHead(refused.status, refusalHeaders(refused))
    response.end(`${refused.why}\n`)
    return
  }
  const { contentType, body } = await scrape(served, request.headers.accept)
  response.writeHead(200, {
    'Content-Type': contentType,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

export interface MetricsPort {
  port: number
  host: string
  stop(): void
}

/** null: not configured. Rejects when the port is taken. */
export async function serveMetrics(served: Served, onTrouble: (error: unknown) => void): Promise<MetricsPort | null> {
  const { port, host = METRICS_HOST } = served.config.metrics
  if (port === undefined) return null
  const server = createServer((request, response) => {
    answer(request, response, served).catch((error: unknown) => {
      onTrouble(error)
      if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' })
      response.end('The metrics could not be put together. The log of Tenure says why.\n')
    })
  })
  await listening(server, port, host)
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { port: (server.address() as AddressInfo).port, host, stop }
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} is taken: set metrics.port to a free one`) : error),
    )
    server.listen(port, host, resolve)
  })
}
