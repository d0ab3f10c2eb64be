import { base64FromLatin1, base64UrlFromLatin1, escapeLatin1, latin1FromBase64Url } from '../shared/bytes.ts'
import { compareDecimal } from '../shared/decimal.ts'
import type { ElectionRef, Layout, LeaseId, Revision } from './types.ts'

const MARK: Record<Layout, string> = { queue: 'q', 'single-key': 'k' }

export function revision(value: string): Revision {
  return value as Revision
}

export const ZERO: Revision = revision('0')

export function isNewer(a: Revision, b: Revision): boolean {
  return compareDecimal(a, b) > 0
}

/** etcd sends lease ids as signed decimals; `etcdctl` prints them as 16 hex digits. 0 means none. */
export function leaseFromDecimal(decimal: string): LeaseId | null {
  return decimal === '0' || decimal === '' ? null : (BigInt(decimal).toString(16).padStart(16, '0') as LeaseId)
}

/** How Go's concurrency package names a candidate's key by its lease: `%x`, not padded. */
export function leaseSegment(lease: LeaseId): string {
  return lease.replace(/^0+/, '')
}

export function leaseToDecimal(lease: LeaseId): string {
  return BigInt(`0x${lease}`).toString()
}

export function refOf(layout: Layout, prefixLatin1: string): ElectionRef {
  return `${MARK[layout]}~${base64UrlFromLatin1(prefixLatin1)}` as ElectionRef
}

/** Throws `SyntaxError` when `ref` is not one that `refOf` makes. */
export function parseRef(ref: string): { layout: Layout; prefixLatin1: string } {
  const layout = ref.startsWith('q~') ? 'queue' : ref.startsWith('k~') ? 'single-key' : null
  if (layout === null || !/^[A-Za-z0-9_-]*$/.test(ref.slice(2))) {
    throw new SyntaxError(`"${ref}" is not an election reference: expected q~ or k~ and base64url`)
  }
  return { layout, prefixLatin1: latin1FromBase64Url(ref.slice(2)) }
}

/** How bytes appear on every wire: escaped for people, base64 for machines. */
export function shown(prefixLatin1: string): { text: string; base64: string } {
  return { text: escapeLatin1(prefixLatin1), base64: base64FromLatin1(prefixLatin1) }
}
