import type { Etcd3, IWatchResponse } from 'etcd3'
import { revision } from '../election/ids.ts'
import { EtcdError, type WatchRange, type WatchSignal, type WatchStream } from '../election/ports.ts'
import { CAUGHT_UP_AFTER_MS, CatchingUp } from './catching-up.ts'
import { STREAM_OPTIONS } from './connection.ts'
import { translate } from './errors.ts'
import { FIRST_WATCH_ID, rangeOf, signalOf } from './wire.ts'

const PING_EVERY_MS = 1_000
const SILENT_AFTER_MS = 3_000

/**
 * One raw watch stream over all ranges. It ends with the error that ended it and never resumes by
 * itself: etcd3's own watcher resumes at the header's revision and so skips events that were still
 * to come. The client is closed with it.
 */
export async function openWatch(
  client: Etcd3,
  endpoint: string,
  ranges: readonly WatchRange[],
  signal: AbortSignal,
): Promise<WatchStream> {
  const stream = await client.watchClient.watch(STREAM_OPTIONS)
  const pending: WatchSignal[] = []
  let ended: EtcdError | null = null
  let wake = () => {}

  let heardMs = performance.now()
  let late: ReturnType<typeof setTimeout> | undefined
  const catchingUp = new CatchingUp(ranges.map(({ from }) => from))
  const sendPing = () => {
    catchingUp.pinged()
    stream.write({ progress_request: {} })
  }

  const end = (error: EtcdError) => {
    ended ??= error
    clearInterval(ping)
    clearTimeout(late)
    client.close()
    wake()
  }
  const close = () => {
    stream.cancel()
    end(new EtcdError('aborted', 'the watch was closed', endpoint))
  }
  stream.on('data', (response: IWatchResponse) => {
    heardMs = performance.now()
    if (response.created && !response.canceled) {
      pending.push({ type: 'created', revision: revision(response.header.revision) })
      wake()
      if (!catchingUp.watched(rangeOf(response), response.header.revision)) return
      late = setTimeout(() => {
        catchingUp.settled()
        sendPing()
      }, CAUGHT_UP_AFTER_MS)
      return
    }
    const signal = signalOf(response)
    if (signal.type === 'alive' && !catchingUp.answer()) return
    const last = response.events.at(-1)?.kv.mod_revision
    if (last !== undefined && catchingUp.received(last)) late?.refresh()
    pending.push(signal)
    wake()
  })
  stream.on('error', (error: Error) => end(translate(error, endpoint)))
  stream.on('end', () => end(new EtcdError('unavailable', 'etcd ended the watch stream', endpoint)))
  signal.addEventListener('abort', close, { once: true })
  // TCP may keep a dead connection open for minutes; a stream that does not answer pings is dead.
  const ping = setInterval(() => {
    const silentMs = performance.now() - heardMs
    if (silentMs > SILENT_AFTER_MS) {
      stream.cancel()
      end(new EtcdError('deadline', `the watch stream was silent for ${Math.round(silentMs)} ms`, endpoint))
    } else sendPing()
  }, PING_EVERY_MS)

  for (const [range, { key, end: rangeEnd, from }] of ranges.entries()) {
    stream.write({
      create_request: {
        key: Buffer.from(key),
        range_end: Buffer.from(rangeEnd),
        start_revision: from,
        prev_kv: true,
        progress_notify: true,
        watch_id: String(range + FIRST_WATCH_ID),
      },
    })
  }

  sendPing()
  // Opening may wait for a login, and an abort meanwhile is not told again.
  if (signal.aborted) close()

  async function* signals(): AsyncGenerator<readonly WatchSignal[]> {
    try {
      for (;;) {
        if (pending.length > 0) yield pending.splice(0)
        else if (ended !== null) throw ended
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    } finally {
      signal.removeEventListener('abort', close)
      close()
    }
  }
  return { endpoint, signals: signals(), close }
}
