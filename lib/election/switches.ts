/** The kill switch as it stands in etcd, and whether it stops one election. */
import { z } from 'zod'
import { base64FromLatin1, escapeLatin1 } from '../shared/bytes.ts'
import { type StandingSwitch, scopeMatches } from './scopes.ts'
import type { LeaseId } from './types.ts'

/** Value of the key `<metaPrefix>switch/<scope>`; the scope is the rest of the key, byte for byte. */
export const switchRecord = z.object({
  v: z.literal(1),
  state: z.enum(['engaged', 'released']),
  reason: z.string(),
  by: z.string().min(1),
  at: z.iso.datetime(),
  /** When somebody means to release it; passing it releases nothing. */
  until: z.iso.datetime(),
  /** Random, new with each engaging: candidates acknowledge by it. */
  nonce: z.string().min(1),
  operation: z.string().min(1),
  match: z.enum(['exact', 'prefix']),
})
export type SwitchRecord = z.infer<typeof switchRecord>

const held = z.object({ tenure: z.literal('halt') })

/** One key under `<metaPrefix>switch/`. */
export interface StoredSwitch {
  /** latin1 */
  scope: string
  value: Uint8Array
}

export interface SwitchVerdict {
  stopped: boolean
  /** The scope of a record that applies, engaged or released; null when there is none. latin1 */
  armedBy: string | null
  /** Nonces of the engaged records that apply. */
  nonces: readonly string[]
  /** In plain words, when stopped. */
  reason: string
}

function parse(value: Uint8Array): SwitchRecord | null {
  try {
    const parsed = switchRecord.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** The record as viewers are told of it. */
export function standingSwitch({ scope, value }: StoredSwitch): StandingSwitch {
  const record = parse(value)
  const shown = { scope: escapeLatin1(scope), scopeBase64: base64FromLatin1(scope) }
  if (record === null) return { ...shown, state: 'unreadable', match: 'prefix', record: null }
  const { state, match, reason, by, at, until, nonce } = record
  return { ...shown, state, match, record: { reason, by, at, until, nonce } }
}

/** A key that an enforced stop holds: without a lease, its value `{"tenure":"halt","nonce":…}`. */
export function isHeld({ lease, value }: { lease: LeaseId | null; value: Uint8Array }): boolean {
  if (lease !== null) return false
  try {
    return held.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value))).success
  } catch {
    return false
  }
}

/**
 * Stopped when any record that applies is engaged, unparsable or of an unknown version: what cannot be
 * read is taken for an order to stop. `prefix` is the election's, latin1.
 */
export function judgeSwitches(prefix: string, switches: readonly StoredSwitch[]): SwitchVerdict {
  const nonces: string[] = []
  const reasons: string[] = []
  let armedBy: string | null = null
  for (const { scope, value } of switches) {
    const record = parse(value)
    if (!scopeMatches(scope, record?.match ?? 'prefix', prefix)) continue
    armedBy = scope
    if (record?.state === 'released') continue
    const named = scope === '' ? 'all elections' : escapeLatin1(scope)
    if (record === null) reasons.push(`the kill switch of ${named} cannot be read, which counts as engaged`)
    else {
      nonces.push(record.nonce)
      reasons.push(`kill switch of ${named} engaged by ${record.by}: ${record.reason}`)
    }
  }
  return { stopped: reasons.length > 0, armedBy, nonces, reason: reasons.join('; ') }
}
