/** Whether somebody who asked earlier may do it to this moment: they may have been disabled, or have another role. */
import { type Verb, whyNever } from '../../lib/election/policy.ts'
import type { Auth } from './auth.ts'

/** Where nobody signs in, everybody on this machine may. */
export function mayStill({ accounts }: Pick<Auth, 'accounts'>, personId: string | undefined, verb: Verb): boolean {
  if (accounts === null) return true
  const person = personId === undefined ? null : accounts.people.find(personId)
  return person !== null && !person.disabled && whyNever(person.role, verb) === null
}
