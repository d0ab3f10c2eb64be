/** The one subscription: frames of `live.events`, resumed by id where the server still knows it. */
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import type { Frame } from '../../lib/election/changes.ts'
import type { AppRouter } from '../../server/api/router.ts'

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

  // An answer that is no event stream ends the subscription for good; begin anew, ever more slowly.
  const reopen = (reason: string) => {
    if (stopped) return
    onTrouble(reason)
    current?.unsubscribe()
    clearTimeout(again)
    again = setTimeout(open, Math.min(10_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2))
    failures += 1
  }
  const open = () => {
    current = client.live.events.subscribe(lastId ? { lastEventId: lastId } : {}, {
      onData: ({ data }) => {
        failures = 0
        lastId = data.id
        onFrame(data)
      },
      onConnectionStateChange: (change) => {
        if (change.state === 'connecting' && change.error) onTrouble(change.error.message)
      },
      onError: (error) => reopen(error.message),
      onComplete: () => reopen('the server ended the stream'),
    })
  }
  open()
  return () => {
    stopped = true
    clearTimeout(again)
    current?.unsubscribe()
  }
}
