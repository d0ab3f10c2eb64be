/** Releasing is slow: an admin, a reason, the typed name, and with `release.secondPerson` somebody else as well. */
import type { Operation, Outcome } from '../../../lib/election/actions.ts'
import { type Done, released } from '../../../lib/election/switch-changes.ts'
import type { SwitchRecord } from '../../../lib/election/switches.ts'
import { instant, msOf } from '../../../lib/shared/clock.ts'
import { count } from '../../../lib/shared/format.ts'
import type { Json } from '../../history/audit.ts'
import type { Caller } from '../caller.ts'
import { reachOf } from '../find.ts'
import type { ActionParts } from '../parts.ts'
import { perform } from '../perform.ts'
import { Refused } from '../refused.ts'
import { situationOf } from '../situation.ts'
import type { Undertaking } from '../undertaking.ts'
import { CONFIRM_WITHIN_MS } from './release-requests.ts'
import { requireSecond, requireSignedIn } from './second-person.ts'
import { afterRelease } from './still-engaged.ts'
import { requireTyped, type Scope, scopeOf, scopeWords, seenSubject } from './switch-scope.ts'
import { RecordWriting, readRecord } from './switch-store.ts'
import { failed, momentWords, refusedByEtcd } from './switch-words.ts'

export interface ReleaseSwitch {
  cluster: string
  scopeBase64: string
  /** Of the stop that was seen: another one since then is not released. */
  nonce: string
  /** Of the record as it was seen: one that was changed since then is not released. */
  modRevision?: string | undefined
  reason: string
  typedName: string
  operation: string
}

export type ConfirmRelease = Omit<ReleaseSwitch, 'reason'>

type Plan = { nonce: string; modRevision: string; revision: string; by: string; since: string }

/** Who asks, and who confirmed it. */
interface Persons {
  by: string
  reason: string
  confirmedBy: string | null
}

export function releaseSwitch(parts: ActionParts, caller: Caller, input: ReleaseSwitch): Promise<Operation> {
  const scope = scopeOf(reachOf(parts, input.cluster), input.scopeBase64)
  if (parts.secondPerson) return perform(parts, caller, askingFor(parts, caller, { scope, input }))
  const persons = { by: caller.actor.name, reason: input.reason, confirmedBy: null }
  return perform(
    parts,
    caller,
    releasing(parts, scope, { ...input, verb: 'release', by: persons.by, persons: () => persons }),
  )
}

export function confirmRelease(parts: ActionParts, caller: Caller, input: ConfirmRelease): Promise<Operation> {
  const scope = scopeOf(reachOf(parts, input.cluster), input.scopeBase64)
  const stop = { cluster: input.cluster, scopeBase64: scope.scopeBase64, nonce: input.nonce }
  const request = parts.releases.find(stop, parts.clock.nowMs())
  const persons = () => {
    const asked = requireSecond(parts, request, caller)
    return { by: asked.actor.name, reason: asked.reason, confirmedBy: caller.actor.name }
  }
  const reason = request?.reason ?? 'confirmed'
  const what = releasing(parts, scope, {
    ...input,
    reason,
    verb: 'confirmRelease',
    by: caller.actor.name,
    askedFor: request?.modRevision,
    persons,
  })
  const watched = {
    begins: () => {},
    ends: ({ is }: Outcome) => {
      if (is === 'verified') parts.releases.drop(stop)
    },
  }
  return perform(parts, caller, { ...what, watched })
}

/** The first of two persons: nothing is written to etcd. */
export function askingFor(
  parts: ActionParts,
  caller: Caller,
  { scope, input }: { scope: Scope; input: ReleaseSwitch },
): Undertaking<Plan> {
  const { nonce, operation, reason } = input
  const { reach, scopeBase64 } = scope
  const at = instant(parts.clock.nowMs())
  const until = momentWords(instant(msOf(at) + CONFIRM_WITHIN_MS))
  const outcome: Outcome = {
    is: 'verified',
    words: `Waits for a second person: a different operator or admin confirms it by ${until}. Nothing is released yet.`,
    revision: null,
  }
  return {
    verb: 'release',
    operation,
    subject: seenSubject(scope),
    reason,
    asked: { cluster: reach.name, scopeBase64, nonce, ...seenIn(input), waits: true },
    situation: () => situationOf(reach, null, { actionInFlight: false }),
    prepare: async () => {
      requireSignedIn(caller, 'first')
      return requireEngaged(scope, input, parts.signal)
    },
    act: async ({ modRevision }) => {
      parts.releases.add({ cluster: reach.name, scopeBase64, nonce, modRevision, actor: caller.actor, reason, at })
      return outcome
    },
    verify: async () => outcome,
  }
}

interface Releasing extends ReleaseSwitch {
  verb: 'release' | 'confirmRelease'
  /** Who acts: of two persons the second. */
  by: string
  /** Of two persons: the mod revision that the first one asked for. */
  askedFor?: string | undefined
  /** Throws `Refused`. */
  persons: () => Persons
}

export function releasing(parts: ActionParts, scope: Scope, input: Releasing): Undertaking<Plan> {
  const { nonce, operation, reason, verb, askedFor } = input
  const { reach, scopeBase64 } = scope
  const { clock, signal } = parts
  const writing = new RecordWriting(scope, parts)
  const isSeen = (now: string) => [input.modRevision ?? now, askedFor ?? now].every((seen) => seen === now)
  const own: Done = { operation, by: input.by, what: ['released'] }
  const done = async (record: SwitchRecord, revision: string): Promise<Outcome> => ({
    is: 'verified',
    words: `Released: ${scopeWords(scope, record.match)}. ${await afterRelease(scope, record.match, signal)}`,
    revision: revision as Outcome['revision'],
  })
  return {
    verb,
    operation,
    subject: seenSubject(scope),
    reason,
    asked: { cluster: reach.name, scopeBase64, nonce, ...seenIn(input) },
    situation: () => situationOf(reach, null, { actionInFlight: false }),
    prepare: async () => {
      input.persons()
      const plan = await requireEngaged(scope, input, signal)
      if (askedFor !== undefined)
        requireSeen(
          plan.modRevision,
          askedFor,
          'The release was asked for the record as it was before: it was changed since.',
        )
      return plan
    },
    act: async () => {
      const { by, reason: why, confirmedBy } = input.persons()
      const doing = { at: instant(clock.nowMs()), by, operation, reason: why }
      try {
        const written = await writing.change(own, ({ record, modRevision }) =>
          record?.state === 'engaged' && record.nonce === nonce && isSeen(modRevision)
            ? released(record, doing, confirmedBy)
            : { instead: 'Not released: the record is another than the one that was seen.' },
        )
        if ('instead' in written) return failed(written.instead)
        await heads(parts, scope, written.record, operation)
        return done(written.record, written.modRevision)
      } catch (error) {
        const refused = refusedByEtcd(error, `${reach.metaPrefix}switch/`)
        if (refused === null) throw error
        return failed(`Still engaged. ${refused}`)
      }
    },
    verify: () => writing.verify(own, done),
    notDone: 'Still engaged. ',
  }
}

/** Heads that the stop held are let go; those that are not so far are told, and tried again. */
async function heads(parts: ActionParts, scope: Scope, record: SwitchRecord, operation: string): Promise<void> {
  const left = (await parts.keepers.get(scope.reach.name)?.released(scope, record.match)) ?? 0
  if (left === 0) return
  parts.operations.warn(operation, `${count(left, 'head')} could not be let go so far. Tenure keeps trying.`)
}

async function requireEngaged(scope: Scope, input: Omit<ReleaseSwitch, 'reason'>, signal: AbortSignal): Promise<Plan> {
  const { record, modRevision, revision } = await engagedNow(scope, input.nonce, signal)
  if (input.modRevision !== undefined) requireSeen(modRevision, input.modRevision, changedWords(record))
  requireTyped(scope, record.match, input.typedName)
  return { nonce: record.nonce, modRevision, revision, by: record.by, since: record.at }
}

const seenIn = ({ modRevision }: Pick<ReleaseSwitch, 'modRevision'>): { [name: string]: Json } =>
  modRevision === undefined ? {} : { modRevision }

function changedWords({ log = [] }: SwitchRecord): string {
  const last = log.at(-1)
  const what = last === undefined ? '' : `: ${last.what} by ${last.by} at ${momentWords(last.at)}`
  return `The record was changed after it was shown${what}.`
}

/** Throws `Refused`. */
function requireSeen(is: string, expected: string, why: string): void {
  if (is === expected) return
  throw new Refused({
    code: 'changed',
    why,
    fix: 'Look at the switch again, and ask for its release then.',
    expected,
    is,
  })
}

/** Throws `Refused` unless this very stop is engaged. Rejects with `EtcdError`. */
export async function engagedNow(scope: Scope, nonce: string, signal: AbortSignal) {
  const { record, isThere, ...rest } = await readRecord(scope, signal)
  const fix = 'Look at the switch again.'
  if (record?.state !== 'engaged') {
    const is = isThere ? (record?.state ?? 'unreadable') : 'absent'
    throw new Refused({ code: 'not-engaged', why: `The record of this scope is ${is}, not engaged.`, fix, is })
  }
  if (record.nonce !== nonce) {
    const why = `This is another stop than the one that was seen: engaged by ${record.by} at ${momentWords(record.at)}.`
    throw new Refused({ code: 'changed', why, fix, expected: nonce, is: record.nonce })
  }
  return { record, ...rest }
}
