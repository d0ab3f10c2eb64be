/** Who counts where a release waits for a second person: two people who signed in with a browser. */
import type { Caller } from '../caller.ts'
import { isSamePerson } from '../caller.ts'
import type { ActionParts } from '../parts.ts'
import { Refused } from '../refused.ts'
import type { ReleaseRequest } from './release-requests.ts'

const code = 'second-person'

/** Throws `Refused` for whoever may not be one of the two. A token is no person: one that leaked must not agree. */
export function requireSignedIn({ actor }: Caller, who: 'first' | 'second'): void {
  if (actor.kind === 'person') return
  const subject = who === 'first' ? 'Whoever asks for a release that waits for a second person' : 'A second person'
  const token = actor.kind === 'token' ? ': an API token does not count' : ''
  const fix = `Sign in with a browser, and ${who === 'first' ? 'ask for' : 'confirm'} it then.`
  throw new Refused({ code, why: `${subject} must be signed in with a browser${token}.`, fix })
}

/** Throws `Refused` unless somebody else asked, who may release to this moment. */
export function requireSecond(
  { mayStill }: Pick<ActionParts, 'mayStill'>,
  request: ReleaseRequest | null,
  caller: Caller,
): ReleaseRequest {
  const { actor } = caller
  if (request === null) {
    const why = 'Nobody has asked for this release within the last 15 minutes.'
    throw new Refused({ code, why, fix: 'An admin asks for it first, with a reason.' })
  }
  requireSignedIn(caller, 'second')
  const first = request.actor
  if (isSamePerson(first, actor)) {
    const why = `${actor.name} asked for this release, and cannot confirm it.`
    const fix = 'A different operator or admin confirms it.'
    throw new Refused({ code, why, fix, expected: 'somebody else', is: actor.name })
  }
  // Of an earlier version, a token may have asked.
  if (first.kind === 'token' || !mayStill(first.personId, 'release')) {
    const why = `${first.name}, who asked, may not release any more.`
    throw new Refused({ code, why, fix: 'An admin asks for it again, with a reason.' })
  }
  return request
}
