/**
 * May this person do this now, and if not, why not. The server refuses by it, and a page disables a
 * button by it and says the same words: one function, so that the two never disagree.
 */
import type { Freshness } from './types.ts'

/** Each may do what the ones before it may. */
export const ROLES = ['viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const VERBS = [
  'see',
  'notes',
  'alerts',
  'testChannel',
  'handoff',
  'engage',
  'extend',
  'release',
  'confirmRelease',
  'arm',
  'confirmElection',
  'acknowledgeRollback',
  'manageUsers',
] as const
export type Verb = (typeof VERBS)[number]

/** In the order in which they are told: the first that applies. */
export const REFUSAL_CODES = [
  'not-signed-in',
  'role',
  'read-only',
  'cluster-read-only',
  'stale',
  'rolled-back',
  'unconfirmed',
  'in-flight',
  'no-standby',
] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

/** What is known now of that which the verb is about. `null` is "not known", and counts as unsafe. */
export interface Situation {
  /** `readOnly` of the whole configuration, or of this cluster alone. */
  readOnly: 'no' | 'cluster' | 'everywhere' | null
  freshness: Freshness | null
  rolledBack: boolean | null
  confirmed: boolean | null
  hasStandby: boolean | null
  /** Another action on the same election has no outcome yet. */
  actionInFlight: boolean | null
  /** The standby's absence was read and ticked; only an admin may go on with it. */
  overridesNoStandby?: boolean
}

export interface Refusal {
  code: RefusalCode
  why: string
  /** What would make it possible. */
  fix: string
}

interface Rule {
  role: Role
  /** As the words name it: "you cannot … now". */
  does: string
  /** Which of the situation's obstacles stop it. */
  stoppedBy: ReadonlySet<RefusalCode>
}

const set = (...codes: RefusalCode[]): ReadonlySet<RefusalCode> => new Set(codes)
const WRITES = ['read-only', 'cluster-read-only', 'rolled-back'] as const

/**
 * Engaging and extending name a scope, not what was seen on a screen, and must be fast: a stale view
 * does not refuse them, etcd's own answer decides. What changes nothing in etcd passes read-only mode.
 */
const RULES: Readonly<Record<Verb, Rule>> = {
  see: { role: 'viewer', does: 'look at elections', stoppedBy: set() },
  notes: { role: 'operator', does: 'write notes', stoppedBy: set() },
  alerts: { role: 'operator', does: 'acknowledge or silence alerts', stoppedBy: set() },
  testChannel: { role: 'admin', does: 'send a test message', stoppedBy: set() },
  handoff: {
    role: 'operator',
    does: 'hand leadership off',
    stoppedBy: set(...WRITES, 'stale', 'unconfirmed', 'in-flight', 'no-standby'),
  },
  engage: { role: 'operator', does: 'engage the kill switch', stoppedBy: set(...WRITES) },
  extend: { role: 'operator', does: 'extend a stop', stoppedBy: set(...WRITES) },
  release: { role: 'admin', does: 'release the kill switch', stoppedBy: set(...WRITES, 'stale', 'in-flight') },
  confirmRelease: {
    role: 'operator',
    does: 'confirm a release',
    stoppedBy: set(...WRITES, 'stale', 'in-flight'),
  },
  arm: { role: 'admin', does: 'arm the kill switch', stoppedBy: set(...WRITES, 'stale') },
  confirmElection: { role: 'admin', does: 'confirm an election', stoppedBy: set('stale', 'rolled-back') },
  acknowledgeRollback: { role: 'admin', does: 'acknowledge a rollback', stoppedBy: set('stale') },
  manageUsers: { role: 'admin', does: 'manage people', stoppedBy: set() },
}

/** The least role for a verb. */
export function roleFor(verb: Verb): Role {
  return RULES[verb].role
}

export function atLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** The lower of two: what a token may do is never more than its owner may. */
export function lesser(one: Role, other: Role): Role {
  return atLeast(one, other) ? other : one
}

function applies(code: RefusalCode, situation: Situation, role: Role): boolean {
  switch (code) {
    case 'not-signed-in':
    case 'role':
      return false
    case 'read-only':
      return situation.readOnly === 'everywhere' || situation.readOnly === null
    case 'cluster-read-only':
      return situation.readOnly === 'cluster'
    case 'stale':
      return situation.freshness !== 'live'
    case 'rolled-back':
      return situation.rolledBack !== false
    case 'unconfirmed':
      return situation.confirmed !== true
    case 'in-flight':
      return situation.actionInFlight !== false
    case 'no-standby':
      return situation.hasStandby !== true && !(situation.overridesNoStandby === true && role === 'admin')
  }
}

const WORDS: Readonly<Record<Exclude<RefusalCode, 'not-signed-in' | 'role'>, Omit<Refusal, 'code'>>> = {
  'read-only': {
    why: 'Tenure is in read-only mode: nothing is written to etcd.',
    fix: 'Whoever runs Tenure can set readOnly to false in tenure.yaml and restart it.',
  },
  'cluster-read-only': {
    why: 'This cluster is read-only: nothing is written to it.',
    fix: 'Whoever runs Tenure can set readOnly of this cluster to false in tenure.yaml and restart it.',
  },
  stale: {
    why: 'What is shown is stale: etcd has not confirmed it within the last 3 s.',
    fix: 'Wait until the page says Live again, or act with etcdctl.',
  },
  'rolled-back': {
    why: 'The store was rolled back: what is in etcd may be older than what was seen.',
    fix: 'An admin acknowledges the rollback first.',
  },
  unconfirmed: {
    why: 'It is not confirmed that this is an election: it only looks like one.',
    fix: 'An admin confirms the election first.',
  },
  'in-flight': {
    why: 'Another action on this election has no outcome yet.',
    fix: 'Wait for its outcome, and look at the election again.',
  },
  'no-standby': {
    why: 'Nobody stands by: without a next candidate the seat would stay empty.',
    fix: 'Start another candidate first. An admin may go on without one.',
  },
}

const withArticle = (role: Role) => (role === 'viewer' ? 'a viewer' : `an ${role}`)

/** What no state would change: not signed in, or the role is too low. */
export function whyNever(role: Role | null, verb: Verb): Refusal | null {
  const rule = RULES[verb]
  if (role === null) {
    return { code: 'not-signed-in', why: `To ${rule.does}, sign in.`, fix: 'Sign in, or send an API token.' }
  }
  if (atLeast(role, rule.role)) return null
  const why = `You are ${withArticle(role)}. To ${rule.does}, you must be ${withArticle(rule.role)}.`
  return { code: 'role', why, fix: `Ask an admin for the role of ${rule.role}, or to do it.` }
}

/** null: it may be done. `role` is null for somebody who is not signed in and may not look either. */
export function whyNot(role: Role | null, verb: Verb, situation: Situation = NOWHERE): Refusal | null {
  const never = whyNever(role, verb)
  if (never !== null || role === null) return never
  const rule = RULES[verb]
  const code = REFUSAL_CODES.find((each) => rule.stoppedBy.has(each) && applies(each, situation, role))
  if (code === undefined || code === 'not-signed-in' || code === 'role') return null
  return { code, ...WORDS[code] }
}

/** For verbs that are about no election or cluster. Whatever is asked of it is not known. */
export const NOWHERE: Situation = {
  readOnly: null,
  freshness: null,
  rolledBack: null,
  confirmed: null,
  hasStandby: null,
  actionInFlight: null,
}
