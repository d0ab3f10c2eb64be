/** The one subscription: frames of `live.events`, resumed by id where the server still knows it. */
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import type { Frame } from '../../lib/election/changes.ts'
import type { AppRouter } from '../../server/api/router.ts'

/** A page must be right again within 3 s of the server's return. */
const SLOWEST_RETRY_MS = 2_000

export interface FrameSource {
  onFrame: (frame: Frame) => void
  onTrouble: (reason: string) => void
}

/** Runs in a tab or in the shared worker. Reconnects by itself; returns what ends it. */
export function openStream({ onFrame, onTrouble }: FrameSource): () => void {
  const url = new URL('/api/trpc', globalThis.location.origin).href
  const client = createTRPCClient<AppRouter>({ links: [httpSubscriptionLink({ url })] })
  let stopped = false
  let again: ReturnType<typeof setTimeout> | undefined
  let current: { unsubscribe: () => void } | undefined
  let lastId: string | undefined
  let failures = 0

  const open = () => {
    again = undefined
    let over = false
    let subscription: { unsubscribe: () => void } | undefined
    // Left alone, a browser tries again after 3 s, and never when the answer was no event stream.
    const reopen = (reason: string) => {
      if (over || stopped) return
      over = true
      onTrouble(reason)
      subscription?.unsubscribe()
      again = setTimeout(open, Math.min(SLOWEST_RETRY_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2))
      failures += 1
    }
    subscription = client.live.events.subscribe(lastId ? { lastEventId: lastId } : {}, {
      onData: ({ data }) => {
        failures = 0
        lastId = data.id
        onFrame(data)
      },
      onConnectionStateChange: (change) => {
        // A browser does not say why.
        if (change.state === 'connecting' && change.error) reopen('the connection broke or cannot be made')
      },
      onError: (error) => reopen(error.message || 'no stream of events came back'),
      onComplete: () => reopen('the server ended the stream'),
    })
    current = subscription
  }
  const online = () => {
    if (again === undefined) return
    clearTimeout(again)
    open()
  }
  open()
  addEventListener('online', online)
  return () => {
    stopped = true
    removeEventListener('online', online)
    clearTimeout(again)
    current?.unsubscribe()
  }
}
