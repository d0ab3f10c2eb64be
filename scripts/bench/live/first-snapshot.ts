/** A viewer that waits from before the server answers: when had it been told of all elections? */
import { setTimeout as pause } from 'node:timers/promises'
import type { Frame } from '../../../lib/election/changes.ts'
import { wallMs } from './numbers.ts'

const ASK_AGAIN_MS = 10
const WITHIN_MS = 60_000

function electionsIn(frame: Frame): number {
  if (frame.type === 'snapshot') return frame.clusters.reduce((sum, { elections }) => sum + elections.length, 0)
  if (frame.type === 'heartbeat') return 0
  return frame.changes.filter((change) => change.type === 'election' && change.change.type === 'opened').length
}

/** Frames as they come off the stream, each with the moment in which its last byte had come. */
async function* framesOf(url: string, signal: AbortSignal): AsyncGenerator<{ frame: Frame; atMs: number }> {
  const response = await fetch(`${url}/api/trpc/live.events?input=%7B%7D`, { signal })
  if (response.status !== 200 || response.body === null) throw new Error(`live.events answered ${response.status}`)
  const decoder = new TextDecoder()
  let parts: string[] = []
  for await (const bytes of response.body) {
    const atMs = wallMs()
    parts.push(decoder.decode(bytes, { stream: true }))
    if (!parts.at(-1)?.includes('\n\n') && !parts.slice(-2).join('').includes('\n\n')) continue
    const messages = parts.join('').split('\n\n')
    parts = [messages.pop() ?? '']
    for (const message of messages) {
      const data = /^data: (\{.*)$/m.exec(message)?.[1]
      if (data?.includes('"serverTime"')) yield { frame: JSON.parse(data), atMs }
    }
  }
}

/** When `elections` of them had come, in milliseconds since 1970. Rejects after a minute. */
export async function firstSnapshot(url: string, elections: number): Promise<number> {
  const signal = AbortSignal.timeout(WITHIN_MS)
  while (!signal.aborted) {
    try {
      let known = 0
      for await (const { frame, atMs } of framesOf(url, signal)) {
        known = frame.type === 'snapshot' ? electionsIn(frame) : known + electionsIn(frame)
        if (known >= elections) return atMs
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error // fetch says so while nobody listens yet
    }
    await pause(ASK_AGAIN_MS)
  }
  throw new Error(`no snapshot of ${elections} elections within ${WITHIN_MS} ms`)
}
