/** Frames for this tab: through the worker that all tabs share, or over a stream of its own where there is none. */
import { openOwnStream } from './own-stream.ts'
import type { FrameSource } from './stream.ts'
import type { FromTab, ToTab } from './worker-messages.ts'

const ASK_EVERY_MS = 2_000
const GIVE_UP_AFTER_MS = 6_000

export function connectTab(source: FrameSource): () => void {
  if (typeof SharedWorker === 'undefined') return openOwnStream(source)
  let stop = () => {}
  stop = throughWorker(source, () => {
    stop()
    stop = openOwnStream(source)
  })
  return () => stop()
}

function throughWorker(source: FrameSource, giveUp: () => void): () => void {
  const worker = new SharedWorker(new URL('./shared-worker.ts', import.meta.url), {
    name: 'tenure-live',
    type: 'module',
  })
  const say = (message: FromTab) => worker.port.postMessage(message)
  let heardMs = performance.now()
  let askedMs = heardMs

  worker.port.onmessage = ({ data }: MessageEvent<ToTab>) => {
    heardMs = performance.now()
    if (data.type === 'frame') source.onFrame(data.frame)
    else if (data.type === 'trouble') source.onTrouble(data.reason)
  }
  worker.onerror = giveUp
  // A tab that slept was not asking, so the worker's silence is counted from the last question.
  const timer = setInterval(() => {
    const now = performance.now()
    const slept = now - askedMs > 3 * ASK_EVERY_MS
    if (!slept && askedMs - heardMs > GIVE_UP_AFTER_MS) return giveUp()
    askedMs = now
    say({ type: 'there?' })
  }, ASK_EVERY_MS)
  const hello = () => say({ type: 'hello' })
  const bye = () => say({ type: 'bye' })
  const back = ({ persisted }: PageTransitionEvent) => {
    if (persisted) hello()
  }
  hello()
  addEventListener('pagehide', bye)
  addEventListener('pageshow', back)
  return () => {
    clearInterval(timer)
    removeEventListener('pagehide', bye)
    removeEventListener('pageshow', back)
    bye()
    worker.port.close()
  }
}
