/** The kill switches as they stand in etcd: read again at each change, so that no event can lie about them. */

import { ZERO } from '../../lib/election/ids.ts'
import { EtcdError, type KeyValue, type KvPort, type NoticePort } from '../../lib/election/ports.ts'
import { standingSwitch } from '../../lib/election/switches.ts'
import type { Revision } from '../../lib/election/types.ts'
import { backoffMs, sleep } from '../../lib/shared/abort.ts'
import { fromLatin1, latin1 } from '../../lib/shared/bytes.ts'
import { nextDecimal } from '../../lib/shared/decimal.ts'
import { listKeys } from './list-keys.ts'
import type { SeenSwitch, SwitchesRead } from './switch-memory.ts'

const DEADLINE_MS = 2_000
/** After a restore a watch stays silent: it waits for revisions that are still to come. */
const READ_AGAIN_MS = 10_000
/** Of records; past that it is told loudly. */
export const MOST = 20_000

export interface SwitchWatchOptions {
  etcd: KvPort & NoticePort
  /** latin1 */
  metaPrefix: string
  onSwitches(read: SwitchesRead): void
  onUnreadable(reason: string): void
}

/** Runs until `signal` aborts. Never rejects. */
export async function runSwitchWatch(options: SwitchWatchOptions, signal: AbortSignal): Promise<void> {
  const span = spanOfSwitches(options.metaPrefix)
  let failures = 0
  while (!signal.aborted) {
    try {
      const read = await readSwitches(options, signal)
      failures = 0
      options.onSwitches(read)
      await changed(options.etcd, span, read.revision, signal)
    } catch (error) {
      if (signal.aborted) return
      const denied = error instanceof EtcdError && (error.kind === 'denied' || error.kind === 'auth')
      if (denied) options.onUnreadable(error.message)
      await sleep(backoffMs(failures, 200, 5_000), signal)
      failures += 1
    }
  }
}

/** Linearizable. Rejects with `EtcdError`. */
export async function readSwitches(
  { etcd, metaPrefix }: Pick<SwitchWatchOptions, 'metaPrefix'> & { etcd: KvPort },
  signal: AbortSignal,
): Promise<SwitchesRead> {
  const prefix = `${metaPrefix}switch/`
  const switches: SeenSwitch[] = []
  let revision: Revision | null = null
  let isPart = false
  for await (const page of listKeys(etcd, spanOfSwitches(metaPrefix), { deadlineMs: DEADLINE_MS, signal })) {
    revision ??= page.header.revision
    const room = MOST - switches.length
    for (const kv of page.kvs.slice(0, room)) {
      switches.push({ ...standingSwitch(stored(kv, prefix)), modRevision: kv.modRevision })
    }
    isPart = page.kvs.length > room || (page.more && switches.length === MOST)
    if (isPart) break
  }
  return { switches, revision: revision ?? ZERO, ...(isPart ? { isPart: true } : {}) }
}

/** The byte after "/" is "0". */
export function spanOfSwitches(metaPrefix: string): { key: Uint8Array; end: Uint8Array } {
  return { key: fromLatin1(`${metaPrefix}switch/`), end: fromLatin1(`${metaPrefix}switch0`) }
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
