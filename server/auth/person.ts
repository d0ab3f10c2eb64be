import type { Role } from '../../lib/election/policy.ts'

/** Somebody who may sign in. */
export interface Person {
  id: string
  name: string
  email: string
  role: Role
  disabled: boolean
}

/** Who stands behind a request. A token never does more than its owner may. */
export type Actor =
  | { kind: 'person'; person: Person; role: Role; session: { id: string; expiresMs: number } }
  | { kind: 'token'; person: Person; role: Role; token: { id: string; name: string } }
  | { kind: 'loopback'; role: 'admin' }
  | { kind: 'anonymous'; role: 'viewer' }
