/** What a handoff dialog says. Pure: the same words for the button, its reason and the record. */
import type {
  ActionRefusal,
  HandoffMethod,
  HandoffPreflight,
  HandoffTarget,
  Operation,
  Phase,
} from '../../lib/election/actions.ts'
import type { Role } from '../../lib/election/policy.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { seconds } from '../../lib/shared/format.ts'

export interface Choice {
  method: HandoffMethod | null
  /** null: whoever is next. */
  target: HandoffTarget | null
  reason: string
  /** The handoff before this one was read and ticked. */
  acknowledged: boolean
  /** That nobody stands by was read and ticked. */
  overridesNoStandby: boolean
}

export const nameOf = ({ identity }: { identity: string }) => (identity === '' ? '(empty)' : identity)

/** The button names the effect. */
export function effectWords({ name, leader }: HandoffPreflight, { method, target }: Choice): string {
  const who = nameOf(leader)
  switch (method) {
    case 'ask':
      return `Hand off ${name} from ${who}${target === null ? '' : ` to ${nameOf(target)}`}`
    case 'revoke-session':
      return `Revoke ${who}’s session on ${name}`
    case 'remove-key':
      return `Remove only ${who}’s key from ${name}`
    case null:
      return `Hand off ${name}`
  }
}

/** Why the button is disabled; null when it may be pressed. */
export function whyDisabled(seen: HandoffPreflight, choice: Choice, role: Role | null): string | null {
  const offer = seen.methods.find(({ method }) => method === choice.method)
  if (seen.refusal !== null && !isOverridden(seen, choice, role)) return seen.refusal.why
  if (choice.method === null || offer === undefined) return 'Choose how.'
  if (!offer.offered) return offer.why
  if (choice.method === 'ask' && choice.target !== null && !choice.target.offered) return choice.target.why
  if (seen.coolDown !== null && !choice.acknowledged) return 'Acknowledge the handoff before this one.'
  if (choice.reason.trim() === '') return 'Say why: the audit log keeps it.'
  return null
}

function isOverridden({ refusal }: HandoffPreflight, { overridesNoStandby }: Choice, role: Role | null): boolean {
  return refusal?.code === 'no-standby' && role === 'admin' && overridesNoStandby
}

/** Everything that the action is bound to: another leader, key, lease, or other keys on it. */
export function isSameSight(one: HandoffPreflight, other: HandoffPreflight): boolean {
  const bound = ({ leader, leaseKeys }: HandoffPreflight) =>
    JSON.stringify([
      leader.keyBase64,
      leader.createRevision,
      leader.lease,
      leaseKeys?.keys.map((each) => each.keyBase64),
    ])
  const sameWrites = one.action !== other.action || one.leader.modRevision === other.leader.modRevision
  return bound(one) === bound(other) && (one.action === 'handoff' || sameWrites)
}

export function conflictWords(is: { identity: string; ordinal: number | null; token: string }): string {
  const term = is.ordinal === null ? `token ${groupDigits(is.token)}` : `#${is.ordinal}`
  return `The leader changed while you read this: now ${nameOf(is)}, ${term}. Nothing was sent.`
}

export function refusalWords({ why, code }: ActionRefusal): string {
  return code === 'changed' || code === 'token' || code === 'in-flight' ? `${why} Nothing was sent.` : why
}

const PHASE_NAMES = {
  requested: 'Requested',
  draining: 'Drained',
  released: 'Released',
  elected: 'Successor elected',
  acknowledged: 'Old leader stopped',
} as const

export function phaseName({ name, known }: Phase): string {
  return name === 'draining' && known === 'not yet' ? 'Draining' : PHASE_NAMES[name]
}

/** Never more than was observed. */
export function phaseOutcome({ known, name }: Phase, { handoff, outcome }: Operation): string {
  switch (known) {
    case 'etcd':
      return 'Verified in etcd'
    case 'reported':
      return `Reported by ${handoff === undefined ? 'the leader' : nameOf(handoff.from)}`
    case 'not yet':
      if (outcome?.is === 'failed') return 'Not reached'
      return name === 'acknowledged' && outcome !== null ? 'Unknown so far' : 'Waiting'
    case 'never':
      return name === 'draining' ? 'Not seen' : 'Unknown'
  }
}

/** Since the request; of what is waited for after a revoke, how much of the overlap is over. */
export function phaseTime({ phases, handoff }: Operation, { at, name }: Phase, now: Instant | null): string {
  const timeOf = (wanted: Phase['name']) => phases.find((phase) => phase.name === wanted)?.at ?? null
  const start = timeOf('requested')
  if (at !== null) {
    const ms = start === null ? 0 : elapsedMs(start, at)
    return ms === 0 ? '0.00 s' : `+${(ms / 1_000).toFixed(2)} s`
  }
  const released = timeOf('released')
  const limitMs = handoff?.method === 'revoke-session' ? handoff.overlapMs : null
  if (name !== 'acknowledged' || released === null || limitMs === null || now === null) return '–'
  const passedMs = Math.min(limitMs, Math.max(0, elapsedMs(released, now)))
  return `${(passedMs / 1_000).toFixed(1)} of ${seconds(limitMs)}`
}

export interface Verdict {
  /** What is certain. */
  strong: string
  /** What is not. */
  doubt: string
  tone: 'ok' | 'warn' | 'crit' | 'plain'
}

const acknowledgedBy = ({ phases }: Operation) =>
  phases.find(({ name }) => name === 'acknowledged')?.known === 'reported'

/** One sentence over the phases: what came of it so far. */
export function verdictOf(operation: Operation, now: Instant): Verdict {
  const { handoff, outcome, phases } = operation
  const who = handoff === undefined ? 'the leader' : nameOf(handoff.from)
  if (outcome === null) return underWay(operation, now)
  if (outcome.is === 'unknown') {
    const doubt =
      'Unknown: no answer of etcd says yet whether it was done. Tenure keeps asking, and sends nothing again.'
    return { strong: '', doubt, tone: 'warn' }
  }
  if (outcome.is === 'failed') return { strong: outcome.words, doubt: '', tone: 'crit' }
  const { successor = null, from } = handoff ?? {}
  const strong =
    successor === null
      ? outcome.words
      : successor.identity === from?.identity
        ? `Re-elected: ${who}, same identity, new term with token ${groupDigits(successor.token)}.`
        : `${nameOf(successor)} leads with token ${groupDigits(successor.token)}.`
  const isKnown = acknowledgedBy(operation) || phases.find(({ name }) => name === 'acknowledged')?.known === 'etcd'
  if (isKnown || phases.length === 0) return { strong, doubt: '', tone: 'ok' }
  return { strong, doubt: `${who} has not confirmed that it stopped.`, tone: 'warn' }
}

function underWay({ handoff, phases }: Operation, now: Instant): Verdict {
  const who = handoff === undefined ? 'The leader' : nameOf(handoff.from)
  const requested = phases.find(({ name }) => name === 'requested')?.at
  const drains = phases.find(({ name }) => name === 'draining')?.known === 'reported'
  if (!requested || handoff?.method !== 'ask')
    return { strong: '', doubt: 'Sent. Waiting for etcd to show it.', tone: 'plain' }
  const leftMs = handoff.deadlineMs - elapsedMs(requested, now)
  const doubt =
    leftMs > 0 ? `It has ${seconds(leftMs)} left; then it stays leader.` : 'Its time is over: withdrawing the request.'
  return { strong: drains ? `${who} drains.` : `${who} was asked.`, doubt, tone: 'plain' }
}

/** For a ticket or a chat: what happened, line by line. */
export function timelineText(operation: Operation, title: string): string {
  const { id, by, reason, at, phases, outcome, warnings } = operation
  const lines = phases.map((phase) =>
    [phaseTime(operation, phase, null), phaseName(phase), phase.evidence, `(${phaseOutcome(phase, operation)})`].join(
      '  ',
    ),
  )
  const end = outcome === null ? 'under way' : `${outcome.is}: ${outcome.words}`
  return [`${title}, operation ${id}`, `${at} by ${by}: ${reason}`, ...lines, `Outcome: ${end}`, ...warnings].join('\n')
}
