/**
 * `live.events` on the wire. tRPC resolves the procedure; the bytes are ours, the same as tRPC's: its own
 * stream serialises every frame for every viewer and passes it through three web streams, in three parts.
 */
import { isTrackedEnvelope } from '@trpc/server'
import type { Frame } from '../../lib/election/changes.ts'
import type { Context } from './context.ts'
import { appRouter } from './router.ts'

const PATH = '/live.events'
const encoder = new TextEncoder()
const encoded = new WeakMap<Frame, Uint8Array>()

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  Connection: 'keep-alive',
}

const connected = () => `event: connected\ndata: ${JSON.stringify(appRouter._def._config.sse?.client ?? {})}\n\n\n`

/** Once for all viewers of a frame. */
function bytesOf(frame: Frame): Uint8Array {
  const known = encoded.get(frame)
  if (known !== undefined) return known
  const bytes = encoder.encode(`data: ${JSON.stringify(frame)}\nid: ${frame.id}\n\n\n`)
  encoded.set(frame, bytes)
  return bytes
}

/** As tRPC reads it: the header or the parameter goes before the input's own. */
function inputOf(request: Request, { searchParams }: URL): unknown {
  const text = searchParams.get('input')
  const input: unknown = text === null ? undefined : JSON.parse(text)
  const lastEventId =
    request.headers.get('last-event-id') ?? searchParams.get('lastEventId') ?? searchParams.get('Last-Event-Id')
  if (!lastEventId) return input
  return typeof input === 'object' && !Array.isArray(input) ? { ...input, lastEventId } : (input ?? { lastEventId })
}

/** null: this is another request, or one that tRPC has to answer with what is wrong with it. */
export async function liveStream(request: Request, context: Context): Promise<Response | null> {
  const url = new URL(request.url)
  if (request.method !== 'GET' || !url.pathname.endsWith(PATH) || url.searchParams.has('batch')) return null
  const ended = new AbortController()
  try {
    const caller = appRouter.createCaller(context, { signal: ended.signal })
    const events = await caller.live.events(inputOf(request, url) as Parameters<typeof caller.live.events>[0])
    const frames = events[Symbol.asyncIterator]()
    const end = () => ended.abort()
    // While nobody takes the next frame, the generator would not notice.
    ended.signal.addEventListener('abort', () => void frames.return?.(), { once: true })
    if (request.signal.aborted) end()
    else request.signal.addEventListener('abort', end, { once: true })
    return new Response(streamOf(frames, end), { headers })
  } catch {
    return null
  }
}

function streamOf(frames: AsyncIterator<unknown>, end: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(connected())),
      pull: async (controller) => {
        const { value, done } = await frames.next()
        if (!done && isTrackedEnvelope(value)) return controller.enqueue(bytesOf(value[1] as Frame))
        controller.enqueue(encoder.encode('event: return\ndata: \n\n\n'))
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
}
