/** What Tenure's account in etcd may not do of what it is for: told before somebody needs it. */
import type { KeySpan, PermissionPort } from '../../lib/election/ports.ts'
import { sleep } from '../../lib/shared/abort.ts'
import { escapeLatin1, fromLatin1, latin1 } from '../../lib/shared/bytes.ts'
import { rangeOf } from './list-keys.ts'
import type { Log } from './log.ts'
import { permitted } from './spans.ts'

const DEADLINE_MS = 5_000
const TRY_AGAIN_MS = 5_000
/** An admin of etcd who grants what is missing sees it here soon. */
const LOOK_AGAIN_MS = 30_000

export interface Granted {
  /** null: everything. */
  read: readonly KeySpan[] | null
  write: readonly KeySpan[] | null
}

interface Wanted {
  /** latin1 */
  watch: readonly string[]
  /** latin1 */
  metaPrefix: string
  /** Nothing is to be written here, so that no right to write is missed. */
  readOnly: boolean
}

/** In words that follow "this account"; empty when nothing is missing. */
export function missingRights({ watch, metaPrefix, readOnly }: Wanted, { read, write }: Granted): string[] {
  const lacks = (granted: readonly KeySpan[] | null, span: KeySpan) => granted !== null && !covers(granted, span)
  const under = (name: string) => rangeOf(fromLatin1(`${metaPrefix}${name}`))
  const shown = (name: string) => escapeLatin1(`${metaPrefix}${name}`)
  const missing: string[] = []
  const may = (does: 'read' | 'write', name: string, what: string) =>
    missing.push(`may not ${does} ${shown(name)}: ${what}`)
  for (const prefix of watch) {
    if (lacks(read, rangeOf(fromLatin1(prefix)))) missing.push(`may not read all of ${named(prefix)}: not all is shown`)
  }
  if (lacks(read, under('switch/'))) may('read', 'switch/', 'what is stopped is not known')
  if (lacks(read, under('handoff/'))) may('read', 'handoff/', 'no leader can be asked to hand off')
  if (lacks(read, under('presence/'))) may('read', 'presence/', 'nobody is known to acknowledge a stop')
  if (lacks(read, single(`${metaPrefix}epoch`))) may('read', 'epoch', 'the epoch of other dashboards is not known')
  if (readOnly) return missing
  if (lacks(write, under('switch/'))) may('write', 'switch/', 'no kill switch can be engaged from here')
  if (lacks(write, under('handoff/'))) may('write', 'handoff/', 'no leader can be asked to hand off')
  if (lacks(write, single(`${metaPrefix}epoch`))) may('write', 'epoch', 'a restored store raises no epoch for others')
  for (const prefix of watch) {
    if (!lacks(write, rangeOf(fromLatin1(prefix)))) continue
    const what = 'there no session can be revoked, no key removed and no head held'
    missing.push(`may not write ${named(prefix)}: ${what}`)
  }
  return missing
}

const named = (prefix: string) => (prefix === '' ? 'the whole key space' : escapeLatin1(prefix))

function single(key: string): KeySpan {
  return { key: fromLatin1(key), end: fromLatin1(`${key}\0`) }
}

function covers(granted: readonly KeySpan[], wanted: KeySpan): boolean {
  const [part, ...others] = permitted(wanted, granted)
  if (part === undefined || others.length > 0) return false
  return latin1(part.key) === latin1(wanted.key) && latin1(part.end) === latin1(wanted.end)
}

interface RightsOptions extends Wanted {
  name: string
  etcd: PermissionPort
  log: Log
  onMissing(missing: readonly string[]): void
}

/** Runs until `signal` aborts. Never rejects. */
export async function watchRights(options: RightsOptions, signal: AbortSignal): Promise<void> {
  const { etcd, log, name, onMissing } = options
  let told = ''
  while (!signal.aborted) {
    const missing = await look(options, etcd, signal)
    if (missing !== null) {
      onMissing(missing)
      const words = missing.join('; ')
      if (words !== told && words !== '') log.warn({ cluster: name, missing }, 'this account lacks rights in etcd')
      if (words === '' && told !== '') log.info({ cluster: name }, 'this account has all rights in etcd that it needs')
      told = words
    }
    await sleep(missing === null ? TRY_AGAIN_MS : LOOK_AGAIN_MS, signal)
  }
}

/** null: etcd did not answer. Where it does not tell, nothing is said to be missing. */
async function look(wanted: Wanted, etcd: PermissionPort, signal: AbortSignal): Promise<string[] | null> {
  try {
    const options = { deadlineMs: DEADLINE_MS, signal }
    const read = await etcd.readable(options)
    const write = await etcd.writable(options)
    return read === undefined || write === undefined ? [] : missingRights(wanted, { read, write })
  } catch {
    return null
  }
}
