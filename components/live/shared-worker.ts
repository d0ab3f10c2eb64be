/**
 * One stream for all tabs of a browser: over HTTP/1.1 a browser opens six connections per origin, so
 * a seventh tab with a stream of its own would wait for ever.
 */
import type { Frame } from '../../lib/election/changes.ts'
import { Replica } from './replica.ts'
import { openStream } from './stream.ts'
import type { FromTab, ToTab } from './worker-messages.ts'

const tabs = new Set<MessagePort>()
const replica = new Replica()
let lastServerTime = ''

function tell(message: ToTab): void {
  for (const tab of tabs) tab.postMessage(message)
}

function receive(frame: Frame): void {
  if (replica.apply(frame) === null) return
  lastServerTime = frame.serverTime
  tell({ type: 'frame', frame })
}

openStream({ onFrame: receive, onTrouble: (reason) => tell({ type: 'trouble', reason }) })

addEventListener('connect', (event) => {
  const tab = (event as MessageEvent).ports[0]
  if (tab === undefined) return
  tab.addEventListener('message', ({ data }: MessageEvent<FromTab>) => {
    if (data.type === 'bye') tabs.delete(tab)
    else if (data.type === 'hello') {
      tabs.add(tab)
      const frame = replica.snapshot(lastServerTime)
      if (frame !== null) tab.postMessage({ type: 'frame', frame } satisfies ToTab)
    } else tab.postMessage({ type: 'here' } satisfies ToTab)
  })
  tab.start()
})
