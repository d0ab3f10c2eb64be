/** The kill switches as they stand in etcd: read again at each change, so that no event can lie about them. */
import { EtcdError, type KeyValue, type KvPort, type NoticePort } from '../../lib/election/ports.ts'
import { standingSwitch } from '../../lib/election/switches.ts'
import type { Revision } from '../../lib/election/types.ts'
import { backoffMs, sleep } from '../../lib/shared/abort.ts'
import { fromLatin1, latin1 } from '../../lib/shared/bytes.ts'
import { nextDecimal } from '../../lib/shared/decimal.ts'
import type { SeenSwitch } from './switch-memory.ts'

const DEADLINE_MS = 2_000
/** After a restore a watch stays silent: it waits for revisions that are still to come. */
const READ_AGAIN_MS = 10_000
const MOST = 1_000

export interface SwitchWatchOptions {
  etcd: KvPort & NoticePort
  /** latin1 */
  metaPrefix: string
  onSwitches(switches: readonly SeenSwitch[]): void
  onUnreadable(reason: string): void
}

/** Runs until `signal` aborts. Never rejects. */
export async function runSwitchWatch(options: SwitchWatchOptions, signal: AbortSignal): Promise<void> {
  const prefix = `${options.metaPrefix}switch/`
  // The byte after "/" is "0".
  const span = { key: fromLatin1(prefix), end: fromLatin1(`${options.metaPrefix}switch0`) }
  let failures = 0
  while (!signal.aborted) {
    try {
      const { header, kvs } = await options.etcd.range({ ...span, limit: MOST }, { deadlineMs: DEADLINE_MS, signal })
      failures = 0
      options.onSwitches(kvs.map((kv) => ({ ...standingSwitch(stored(kv, prefix)), modRevision: kv.modRevision })))
      await changed(options.etcd, span, header.revision, signal)
    } catch (error) {
      if (signal.aborted) return
      const denied = error instanceof EtcdError && (error.kind === 'denied' || error.kind === 'auth')
      if (denied) options.onUnreadable(error.message)
      await sleep(backoffMs(failures, 200, 5_000), signal)
      failures += 1
    }
  }
}

function stored({ key, value }: KeyValue, prefix: string) {
  return { scope: latin1(key).slice(prefix.length), value }
}

async function changed(
  etcd: NoticePort,
  span: { key: Uint8Array; end: Uint8Array },
  seen: Revision,
  signal: AbortSignal,
) {
  const heard = new AbortController()
  const stop = etcd.notice(span, nextDecimal(seen) as Revision, () => heard.abort())
  await sleep(READ_AGAIN_MS, AbortSignal.any([signal, heard.signal]))
  stop()
}
