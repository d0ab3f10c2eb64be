/** Who asks, as actions and the audit log take them. */
import type { Caller } from '../actions/caller.ts'
import type { Context } from './context.ts'

export function callerOf({ actor, address }: Pick<Context, 'actor' | 'address'>): Caller {
  if (actor === null) return { role: null, actor: { kind: 'nobody', name: 'nobody', address } }
  if (actor === 'bad-token') return { role: null, actor: { kind: 'nobody', name: 'an unknown token', address } }
  const { role } = actor
  switch (actor.kind) {
    case 'person':
      return { role, actor: { kind: 'person', name: actor.person.name, personId: actor.person.id, address } }
    case 'token': {
      const { person, token } = actor
      return { role, actor: { kind: 'token', name: person.name, personId: person.id, token: token.name, address } }
    }
    case 'loopback':
      return { role, actor: { kind: 'loopback', name: 'somebody on this machine', address } }
    case 'anonymous':
      return { role, actor: { kind: 'anonymous', name: 'an anonymous viewer', address } }
  }
}
