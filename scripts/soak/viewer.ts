/**
 * A viewer as the browser is one: the same frames, the same reducer, the same rule for a stream that
 * went silent. What it shows is sampled five times a second; the list of the API once a second.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Replica } from '../../components/live/replica.ts'
import { isTooOld, provenAgoMs } from '../../components/live/silence.ts'
import type { Frame } from '../../lib/election/changes.ts'
import { leaderOf } from '../../lib/election/queue.ts'
import { latin1FromBase64 } from '../../lib/shared/bytes.ts'
import type { Claim } from './model.ts'

const SAMPLE_MS = 200
const LIST_EVERY_MS = 1_000
/** The page looks twice a second whether what it shows is too old: at worst this much later. */
const WATCHDOG_MS = 500
const REOPEN_AFTER_MS = 8_000

interface ListAnswer {
  clusters: { freshness: string }[]
  elections: { prefixBase64: string; leader: { keyBase64: string; createRevision: string } | null }[]
}

export interface Viewer {
  claims(): Claim[]
  readonly samples: { page: number; pageLive: number; api: number; apiLive: number }
  stop(): Promise<void>
}

class ClaimLog {
  readonly closed: Claim[] = []
  private readonly open = new Map<string, Claim>()
  private readonly source: Claim['source']

  constructor(source: Claim['source']) {
    this.source = source
  }

  note(prefix: string, leader: Claim['leader'], atMs: number): void {
    const last = this.open.get(prefix)
    if (last && last.leader?.token === leader?.token && last.leader?.key === leader?.key) {
      last.toMs = atMs
      last.samples += 1
      return
    }
    if (last) this.closed.push(last)
    this.open.set(prefix, { source: this.source, prefix, leader, fromMs: atMs, toMs: atMs, samples: 1 })
  }

  /** The view does not call itself live any more: what it shows claims nothing. */
  interrupt(): void {
    this.closed.push(...this.open.values())
    this.open.clear()
  }

  all(): Claim[] {
    return [...this.closed, ...this.open.values()]
  }
}

function isOfTheNetwork(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || /fetch failed|terminated/.test(error.message))
}

async function* framesOf(response: Response): AsyncGenerator<Frame> {
  if (response.body === null) return
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (data !== undefined && !/^event: /m.test(part)) yield JSON.parse(data) as Frame
    }
  }
}

export function startViewer(url: string): Viewer {
  const stopping = new AbortController()
  const { signal } = stopping
  const replica = new Replica()
  const page = new ClaimLog('page')
  const api = new ClaimLog('api')
  const samples = { page: 0, pageLive: 0, api: 0, apiLive: 0 }
  let heardMs = performance.now()
  let openedMs = heardMs
  let provenMs = 0

  async function stream(): Promise<void> {
    while (!signal.aborted) {
      const silent = new AbortController()
      const watch = setInterval(() => {
        if (performance.now() - Math.max(heardMs, openedMs) > REOPEN_AFTER_MS) silent.abort()
      }, 500)
      try {
        const input = JSON.stringify(replica.lastId === '' ? {} : { lastEventId: replica.lastId })
        openedMs = performance.now()
        const address = `${url}/api/trpc/live.events?input=${encodeURIComponent(input)}`
        const response = await fetch(address, { signal: AbortSignal.any([signal, silent.signal]) })
        for await (const frame of framesOf(response)) {
          if (replica.apply(frame) === null) continue
          heardMs = performance.now()
          provenMs = provenAgoMs(
            [...replica.views.values()].map(({ info }) => info),
            frame.serverTime,
          )
        }
      } catch (error) {
        // The server is away, as the view itself has to notice; anything else is a fault of its own.
        if (!isOfTheNetwork(error)) throw error
      }
      clearInterval(watch)
      await pause(300)
    }
  }

  async function sample(): Promise<void> {
    while (!signal.aborted) {
      const view = [...replica.views.values()][0]
      samples.page += 1
      if (view?.info.freshness === 'live' && !isTooOld(performance.now() - heardMs - WATCHDOG_MS, provenMs)) {
        samples.pageLive += 1
        const now = Date.now()
        for (const state of view.elections.values()) {
          const leader = leaderOf(state.candidates)
          const shown = leader && { token: Number(leader.createRevision), key: latin1FromBase64(leader.keyBase64) }
          page.note(latin1FromBase64(state.prefixBase64), shown, now)
        }
      } else page.interrupt()
      await pause(SAMPLE_MS)
    }
  }

  async function list(): Promise<void> {
    while (!signal.aborted) {
      samples.api += 1
      const askedMs = Date.now()
      try {
        const response = await fetch(`${url}/api/trpc/elections.list`, { signal: AbortSignal.timeout(3_000) })
        const { data } = ((await response.json()) as { result: { data: ListAnswer } }).result
        if (data.clusters[0]?.freshness === 'live') {
          samples.apiLive += 1
          for (const { prefixBase64, leader } of data.elections) {
            const shown = leader && {
              token: Number(leader.createRevision),
              key: latin1FromBase64(leader.keyBase64),
            }
            api.note(latin1FromBase64(prefixBase64), shown, askedMs)
          }
        } else api.interrupt()
      } catch {
        api.interrupt()
      }
      await pause(LIST_EVERY_MS)
    }
  }

  const running = Promise.all([stream(), sample(), list()])
  return {
    claims: () => [...page.all(), ...api.all()],
    samples,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
