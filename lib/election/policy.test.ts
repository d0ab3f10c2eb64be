import { describe, expect, test } from 'vitest'
import {
  atLeast,
  lesser,
  NOWHERE,
  REFUSAL_CODES,
  type RefusalCode,
  ROLES,
  type Role,
  roleFor,
  type Situation,
  VERBS,
  type Verb,
  whyNot,
} from './policy.ts'

const well: Situation = {
  readOnly: 'no',
  freshness: 'live',
  rolledBack: false,
  confirmed: true,
  hasStandby: true,
  actionInFlight: false,
}

/** Every state, with the one obstacle in it, and its code. */
const STATES: readonly [string, Partial<Situation>, RefusalCode | null][] = [
  ['all is well', {}, null],
  ['read-only everywhere', { readOnly: 'everywhere' }, 'read-only'],
  ['whether read-only is not known', { readOnly: null }, 'read-only'],
  ['this cluster read-only', { readOnly: 'cluster' }, 'cluster-read-only'],
  ['stale', { freshness: 'stale' }, 'stale'],
  ['unreachable', { freshness: 'unreachable' }, 'stale'],
  ['freshness not known', { freshness: null }, 'stale'],
  ['rolled back', { rolledBack: true }, 'rolled-back'],
  ['whether rolled back is not known', { rolledBack: null }, 'rolled-back'],
  ['unconfirmed', { confirmed: false }, 'unconfirmed'],
  ['whether confirmed is not known', { confirmed: null }, 'unconfirmed'],
  ['another action in flight', { actionInFlight: true }, 'in-flight'],
  ['actions in flight not known', { actionInFlight: null }, 'in-flight'],
  ['no standby', { hasStandby: false }, 'no-standby'],
  ['standby not known', { hasStandby: null }, 'no-standby'],
]

/** Written out a second time on purpose: who may do what, and what stops it. */
const TABLE: Readonly<Record<Verb, { roles: string; stops: string }>> = {
  see: { roles: 'viewer operator admin', stops: '' },
  notes: { roles: 'operator admin', stops: '' },
  alerts: { roles: 'operator admin', stops: '' },
  testChannel: { roles: 'admin', stops: '' },
  handoff: {
    roles: 'operator admin',
    stops: 'read-only cluster-read-only stale rolled-back unconfirmed in-flight no-standby',
  },
  engage: { roles: 'operator admin', stops: 'read-only cluster-read-only rolled-back' },
  extend: { roles: 'operator admin', stops: 'read-only cluster-read-only rolled-back' },
  release: { roles: 'admin', stops: 'read-only cluster-read-only stale rolled-back in-flight' },
  confirmRelease: { roles: 'operator admin', stops: 'read-only cluster-read-only stale rolled-back in-flight' },
  arm: { roles: 'admin', stops: 'read-only cluster-read-only stale rolled-back' },
  confirmElection: { roles: 'admin', stops: 'stale rolled-back' },
  acknowledgeRollback: { roles: 'admin', stops: 'stale' },
  manageUsers: { roles: 'admin', stops: '' },
}

const CELLS = VERBS.flatMap((verb) =>
  ROLES.flatMap((role) => STATES.map(([state, changed, obstacle]) => ({ verb, role, state, changed, obstacle }))),
)

function expected({ verb, role, obstacle }: { verb: Verb; role: Role; obstacle: RefusalCode | null }) {
  const { roles, stops } = TABLE[verb]
  if (!roles.split(' ').includes(role)) return 'role'
  return obstacle !== null && stops.split(' ').includes(obstacle) ? obstacle : null
}

describe('every role, verb and state', () => {
  test('is in the table', () => expect(CELLS).toHaveLength(VERBS.length * ROLES.length * STATES.length))

  test.each(CELLS)('$role, $verb, $state', (cell) => {
    const refusal = whyNot(cell.role, cell.verb, { ...well, ...cell.changed })
    expect(refusal?.code ?? null).toBe(expected(cell))
  })

  test.each([...VERBS])('nobody who is not signed in may %s', (verb) => {
    expect(whyNot(null, verb, well)?.code).toBe('not-signed-in')
  })
})

describe('a refusal', () => {
  test('has words, and names what would make it possible', () => {
    const codes = new Set<RefusalCode>()
    for (const { verb, role, changed } of CELLS) {
      const refusal = whyNot(role, verb, { ...well, ...changed })
      if (refusal === null) continue
      codes.add(refusal.code)
      expect(refusal.why).toMatch(/^[A-Z].*\.$/)
      expect(refusal.fix).toMatch(/^[A-Z].*\.$/)
    }
    expect([...codes].sort()).toEqual(REFUSAL_CODES.filter((code) => code !== 'not-signed-in').sort())
    expect(whyNot('viewer', 'handoff', well)).toEqual({
      code: 'role',
      why: 'You are a viewer. To hand leadership off, you must be an operator.',
      fix: 'Ask an admin for the role of operator, or to do it.',
    })
  })

  test('names the first obstacle of several, the role before all', () => {
    const everything = { ...NOWHERE, readOnly: 'everywhere' as const }
    expect(whyNot('viewer', 'handoff', everything)?.code).toBe('role')
    expect(whyNot('operator', 'handoff', everything)?.code).toBe('read-only')
    expect(whyNot('operator', 'handoff', { ...everything, readOnly: 'no' })?.code).toBe('stale')
  })
})

describe('without a standby', () => {
  const alone = { ...well, hasStandby: false, overridesNoStandby: true }
  test('an admin may go on, and nobody else', () => {
    expect(whyNot('admin', 'handoff', alone)).toBeNull()
    expect(whyNot('operator', 'handoff', alone)?.code).toBe('no-standby')
    expect(whyNot('admin', 'handoff', { ...alone, overridesNoStandby: false })?.code).toBe('no-standby')
  })
})

describe('what is not known', () => {
  test('stops every verb that asks for it, and none that does not', () => {
    const passing = VERBS.filter((verb) => whyNot('admin', verb) === null)
    expect(passing).toEqual(['see', 'notes', 'alerts', 'testChannel', 'manageUsers'])
  })
})

describe('roles', () => {
  test('each may do what the ones before it may', () => {
    for (const verb of VERBS) {
      const may = ROLES.map((role) => whyNot(role, verb, well) === null)
      expect([verb, may]).toEqual([verb, [...may].sort()])
      expect(whyNot(roleFor(verb), verb, well)).toBeNull()
    }
  })

  test('the lesser of two is the one of a token', () => {
    expect(lesser('admin', 'viewer')).toBe('viewer')
    expect(lesser('operator', 'admin')).toBe('operator')
    expect(atLeast('operator', 'operator')).toBe(true)
  })
})
