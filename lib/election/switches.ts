/** The kill switch as it stands in etcd, and whether it stops one election. */
import { z } from 'zod'
import { base64FromLatin1, escapeLatin1 } from '../shared/bytes.ts'
import { type StandingSwitch, SWITCH_MODES, scopeMatches } from './scopes.ts'
import type { Layout, LeaseId } from './types.ts'

export const SWITCH_STEPS = ['engaged', 'engaged again', 'extended', 'released', 'armed'] as const

const BRACE = 0x7b
const LEASE = /^[0-9a-f]{16}$/

const logEntry = z.object({
  at: z.iso.datetime(),
  by: z.string().min(1),
  operation: z.string().min(1),
  what: z.enum(SWITCH_STEPS),
  reason: z.string(),
  /** As it was meant then; null where nothing is to be released. */
  until: z.iso.datetime().nullable(),
})

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
  /** Missing: cooperative. */
  mode: z.enum(SWITCH_MODES).optional(),
  /** What was done to it, oldest first: the newest 50. */
  log: z.array(logEntry).optional(),
  /** What stood there before and could not be read: its first 2,000 characters. */
  replaced: z.string().optional(),
  /** Of a released record that had been engaged. */
  released: z
    .object({
      at: z.iso.datetime(),
      by: z.string().min(1),
      /** The second person. */
      confirmedBy: z.string().min(1).optional(),
      reason: z.string(),
      operation: z.string().min(1),
    })
    .optional(),
})
export type SwitchRecord = z.infer<typeof switchRecord>

/** Value of a key that an enforced stop holds. What comes after the nonce is for those who go on with it. */
export const heldKey = z.object({
  tenure: z.literal('halt'),
  nonce: z.string().default(''),
  operation: z.string().default(''),
  by: z.string().default(''),
  /** Of the election; what it is for cannot be told from a key without a lease. */
  layout: z.enum(['queue', 'single-key']).optional(),
  /** Of the leader whose key it was: its lease, and what it called itself; absent where nobody led. */
  lease: z.string().optional(),
  identity: z.string().optional(),
  library: z.boolean().optional(),
})

export interface HeldMark {
  nonce: string
  operation: string
  by: string
  layout: Layout | null
  /** Of who led before; null where nobody did. */
  lease: LeaseId | null
  identity: string
  /** It had said so in its presence: it reads the switch, and stops by itself. */
  library: boolean
}

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

/** null: it cannot be read, which counts as engaged. */
export function readSwitch(value: Uint8Array): SwitchRecord | null {
  try {
    const parsed = switchRecord.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** The record as viewers are told of it. */
export function standingSwitch({ scope, value }: StoredSwitch): StandingSwitch {
  const record = readSwitch(value)
  const shown = { scope: escapeLatin1(scope), scopeBase64: base64FromLatin1(scope) }
  if (record === null) return { ...shown, state: 'unreadable', match: 'prefix', record: null }
  const { state, match, reason, by, at, until, nonce, mode = 'cooperative', log = [], released } = record
  const more = { mode, log, ...(released ? { released } : {}) }
  return { ...shown, state, match, record: { reason, by, at, until, nonce, ...more } }
}

/** The value of a key that an enforced stop holds. */
export function heldValue({ lease, identity, layout, library, ...mark }: HeldMark): string {
  const more = { ...(layout === null ? {} : { layout }), ...(lease === null ? {} : { lease, identity, library }) }
  return JSON.stringify({ tenure: 'halt', ...mark, ...more })
}

/** What a key that an enforced stop holds says: without a lease, its value `{"tenure":"halt","nonce":…}`. */
export function readHeld({ lease, value }: { lease: LeaseId | null; value: Uint8Array }): HeldMark | null {
  if (lease !== null || value[0] !== BRACE) return null
  try {
    const parsed = heldKey.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value)))
    if (!parsed.success) return null
    // Whoever may write there may write anything: only what is a lease id is taken for one.
    const { nonce, operation, by, layout = null, lease: former = '', identity = '', library = false } = parsed.data
    return { nonce, operation, by, layout, identity, library, lease: LEASE.test(former) ? (former as LeaseId) : null }
  } catch {
    return null
  }
}

export function isHeld(kv: { lease: LeaseId | null; value: Uint8Array }): boolean {
  return readHeld(kv) !== null
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
    const record = readSwitch(value)
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
