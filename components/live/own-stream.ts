/**
 * A stream for this tab alone, where tabs cannot share one. Over HTTP/1.1 a browser opens six connections
 * per origin for all its tabs: with six streams no page would load any more. So five tabs may hold one;
 * the others wait, and say why.
 */
import { type FrameSource, openStream } from './stream.ts'

const MOST = 5
const ANSWER_WITHIN_MS = 1_000
const ASK_AGAIN_MS = 3_000
const CHANNEL = 'tenure-streams'
const REASON =
  'this browser allows six connections to one server and cannot share one between tabs. Close one of the other tabs'

/** A tab is named by the moment it asked: who asked first has the better claim. */
type Message = { type: 'who?'; from: number } | { type: 'me'; to: number }

function isLimited(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return typeof BroadcastChannel !== 'undefined' && (entry?.nextHopProtocol ?? '').startsWith('http/1')
}

/** Waits for its turn, then streams; returns what ends it. */
export function openOwnStream(source: FrameSource): () => void {
  if (!isLimited()) return openStream(source)
  const channel = new BroadcastChannel(CHANNEL)
  let me = 0
  let state: 'idle' | 'asking' | 'streaming' = 'idle'
  let others = 0
  let close = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (message: Message) => channel.postMessage(message)

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'me') others += data.to === me ? 1 : 0
    else if (state === 'streaming' || (state === 'asking' && me < data.from)) say({ type: 'me', to: data.from })
  }
  const ask = () => {
    state = 'asking'
    others = 0
    me = performance.timeOrigin + performance.now() + Math.random() / 1e3
    say({ type: 'who?', from: me })
    timer = setTimeout(decide, ANSWER_WITHIN_MS)
  }
  const decide = () => {
    if (others < MOST) {
      state = 'streaming'
      close = openStream(source)
      return
    }
    state = 'idle'
    source.onTrouble(REASON)
    timer = setTimeout(ask, ASK_AGAIN_MS * (0.75 + Math.random() / 2))
  }
  ask()
  return () => {
    clearTimeout(timer)
    channel.close()
    close()
  }
}
