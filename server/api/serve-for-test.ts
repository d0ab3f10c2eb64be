/** The whole server below the pages, on a real etcd, answering over HTTP: for tests of this folder. */
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http'
import pino from 'pino'
import { vi } from 'vitest'
import type { z } from 'zod'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { configSchema } from '../config/schema.ts'
import { startRuntime } from '../runtime.ts'
import type { Runtime } from '../runtime-slot.ts'
import { eventually } from '../watch/watch-for-test.ts'
import type { AppRouter } from './router.ts'

export interface SseEvent {
  event?: string
  id?: string
  data: unknown
}

export interface Serving {
  runtime: Runtime
  /** Where candidates report to. */
  reportsUrl: string
  caller: ReturnType<AppRouter['createCaller']>
  /** The raw answer of one query. */
  ask(path: string, input?: object): Promise<{ status: number; text: string }>
  /** The data of one query, after it was held against its shape. */
  get<T extends z.ZodType>(path: string, shape: T, input?: object): Promise<z.infer<T>>
  /** Everything the subscription sends until `signal` aborts. */
  subscribe(options: {
    signal: AbortSignal
    headers?: Record<string, string>
    query?: string
  }): AsyncGenerator<SseEvent>
  stop(): Promise<void>
}

export async function serve(options: {
  endpoints: readonly string[]
  watch: readonly string[]
  /** Candidates may report with this token. */
  reportsToken?: string
  /** `alerts` of the configuration. */
  alerts?: object
}): Promise<Serving> {
  const folder = makeTempFolder('api')
  const cluster = { name: 'test', endpoints: options.endpoints, watch: options.watch }
  const tokenFile = join(folder.path, 'reports-token')
  if (options.reportsToken !== undefined) writeFileSync(tokenFile, options.reportsToken)
  const reports = options.reportsToken === undefined ? {} : { reports: { tokenFile } }
  const sharing = { auth: 'loopback-open', ...reports, ...(options.alerts ? { alerts: options.alerts } : {}) }
  const config = configSchema.parse({ data: join(folder.path, 'data'), clusters: [cluster], ...sharing })
  const runtime = await startRuntime(config, process.cwd(), pino({ level: 'silent' }))
  const watcher = runtime.watchers.get('test')
  await eventually(() => watcher?.elections.view.info.freshness === 'live' && watcher.coldStartMs !== null, 20_000)
  // Next compiles the routes apart from the server, so that no class is shared between the two.
  vi.resetModules()
  const { appRouter } = await import('./router.ts')
  const { answer } = await import('./answer.ts')
  const server = createServer(async (incoming, outgoing) => {
    const request = incomingMessageToRequest(incoming, outgoing, { maxBodySize: null })
    const isReport = incoming.url === '/api/reports'
    const response = await (isReport ? runtime.reports.answer(request) : answer(request, runtime))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body === null) return void outgoing.end()
    // A reader that leaves is no error of the server.
    await pipeline(response.body as AsyncIterable<Uint8Array>, outgoing).catch(() => {})
  })
  const url = await listen(server)
  const ask: Serving['ask'] = async (path, input) => {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
    const response = await fetch(`${url}/${path}${query}`)
    return { status: response.status, text: await response.text() }
  }
  return {
    runtime,
    reportsUrl: url.replace('/trpc', '/reports'),
    caller: appRouter.createCaller({ runtime, actor: { kind: 'loopback', role: 'admin' }, address: '127.0.0.1' }),
    ask,
    get: async (path, shape, input) => {
      const { status, text } = await ask(path, input)
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
      return shape.parse(JSON.parse(text).result.data)
    },
    subscribe: async function* ({ signal, headers = {}, query = '' }) {
      yield* eventsOf(await fetch(`${url}/live.events${query}`, { headers, signal }))
    },
    stop: async () => {
      await runtime.stop()
      server.closeAllConnections()
      server.close()
      folder.remove()
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/trpc`
}

async function* eventsOf(response: Response): AsyncGenerator<SseEvent> {
  if (response.body === null) return
  let rest = ''
  try {
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split(/\n\n+/)
      rest = parts.pop() ?? ''
      for (const part of parts) yield eventOf(part)
    }
  } catch (error) {
    // The reader left.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
  }
}

function eventOf(part: string): SseEvent {
  const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)))
  return { ...fields, data: fields.data ? JSON.parse(fields.data) : undefined }
}
