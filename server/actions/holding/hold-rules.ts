/** Which keys are to be held and which are let go, told from what stands in etcd. Pure. */
import type { KeyValue } from '../../../lib/election/ports.ts'
import { scopeMatches } from '../../../lib/election/scopes.ts'
import { hasEngaged } from '../../../lib/election/switch-changes.ts'
import { type HeldMark, readSwitch, type SwitchRecord } from '../../../lib/election/switches.ts'
import { latin1 } from '../../../lib/shared/bytes.ts'

export interface Standing {
  /** latin1 */
  scope: string
  /** null: it cannot be read. */
  record: SwitchRecord | null
}

export function standingIn(metaPrefix: string, switches: readonly KeyValue[]): Standing[] {
  const skip = `${metaPrefix}switch/`.length
  return switches.map(({ key, value }) => ({ scope: latin1(key).slice(skip), record: readSwitch(value) }))
}

function applying(standing: readonly Standing[], prefix: string): Standing[] {
  return standing.filter(({ scope, record }) => scopeMatches(scope, record?.match ?? 'prefix', prefix))
}

/** The enforced stop that holds an election (latin1 prefix); of several the one with the narrowest scope. */
export function enforcedOn(standing: readonly Standing[], prefix: string): SwitchRecord | null {
  const found = applying(standing, prefix)
    .filter(({ record }) => record?.state === 'engaged' && record.mode === 'enforced')
    .sort((a, b) => b.scope.length - a.scope.length)
  return found[0]?.record ?? null
}

export type Fate = 'keep' | 'stands' | 'let go' | 'orphan'

/**
 * - `keep`: a stop means it to be held, or a record cannot be read.
 * - `stands`: its stop is engaged, and says nothing of holding: somebody held it by hand, or was about to enforce it.
 * - `let go`: its stop was released.
 * - `orphan`: no record says so: it was held before its record, which never came, or whose record is gone.
 */
export function fateOf(standing: readonly Standing[], prefix: string, held: HeldMark): Fate {
  const records = applying(standing, prefix)
  if (records.some(({ record }) => record === null) || enforcedOn(standing, prefix) !== null) return 'keep'
  const own = records.flatMap(({ record }) => (record !== null && isOwn(record, held) ? [record.state] : []))
  if (own.includes('engaged')) return 'stands'
  return own.includes('released') ? 'let go' : 'orphan'
}

/** The release that lets it go, where the fate is `let go`. */
export function releaseOf(standing: readonly Standing[], prefix: string, held: HeldMark): SwitchRecord | null {
  const isIt = ({ record }: Standing) => record?.state === 'released' && isOwn(record, held)
  return applying(standing, prefix).find(isIt)?.record ?? null
}

function isOwn(record: SwitchRecord, held: HeldMark): boolean {
  return record.nonce === held.nonce || (held.operation !== '' && hasEngaged(record, held.operation))
}
