/** Leadership is taken from a healthy leader, as it was seen and not otherwise. */
import type { Operation } from '../../../lib/election/actions.ts'
import { NOWHERE } from '../../../lib/election/policy.ts'
import type { ElectionRef } from '../../../lib/election/types.ts'
import type { AuditEntry, AuditPage } from '../../history/audit.ts'
import type { Caller } from '../caller.ts'
import { electionOf } from '../find.ts'
import type { ActionParts } from '../parts.ts'
import { perform } from '../perform.ts'
import type { Reach } from '../reach.ts'
import { operationOf, type Request, type Undertaking } from '../undertaking.ts'
import { type Aftermath, followFormerLeader } from './aftermath.ts'
import { HandoffCourse } from './course.ts'
import { factsOf } from './phases.ts'
import { type HandoffInput, type HandoffPlan, planOf } from './plan.ts'
import type { HandoffParts } from './preflight.ts'
import { handoffSituation } from './situation.ts'

export function handoff(parts: HandoffParts, caller: Caller, input: HandoffInput): Promise<Operation> {
  const { cluster, ref, operation, reason, overridesNoStandby } = input
  const { reach, state } = electionOf(parts, cluster, ref)
  const request: Request = {
    verb: 'handoff',
    operation,
    subject: { cluster, ref, name: reach.view.nameOf(state) },
    reason,
    asked: askedOf(input),
  }
  // Whether somebody stands by is asked of etcd with the plan: a stale screen is first told what changed.
  const more = { hasStandby: true, ...(overridesNoStandby === undefined ? {} : { overridesNoStandby }) }
  return perform(parts, caller, {
    ...request,
    situation: () => handoffSituation(parts, reach, state, more),
    prepare: () => planOf(parts, caller, input, { reach, state }),
    ...courseOf(parts, reach, request, caller.actor.name),
  })
}

type Asked = { [name: string]: string | boolean | number | { [name: string]: string } }

/** Without the one-time token: it is nobody's business afterwards. */
function askedOf({ token: _, operation: _id, reason: _why, target, ...rest }: HandoffInput): Asked {
  const given = Object.entries(rest).filter(
    (each): each is [string, string | boolean | number] => each[1] !== undefined,
  )
  return { ...Object.fromEntries(given), ...(target === undefined ? {} : { target: { ...target } }) }
}

function courseOf(
  parts: ActionParts,
  reach: Reach,
  { operation, subject: { ref = '' }, reason }: Request,
  by: string,
): Pick<Undertaking<HandoffPlan>, 'act' | 'verify' | 'watched'> {
  const course = new HandoffCourse({ parts, reach, ref, words: { id: operation, reason, by } })
  let plan: HandoffPlan | null = null
  return {
    act: (made) => course.act(made),
    verify: (made) => course.verify(made),
    watched: {
      begins: (made) => {
        plan = made
        course.begins(made)
      },
      ends: (outcome) => {
        if (plan === null) return
        course.ends(plan, outcome)
        if (outcome.is === 'verified') follow(parts, { operation, reach, ref, plan })
      },
    },
  }
}

function follow(parts: ActionParts, after: Aftermath): void {
  followFormerLeader(parts, after).catch((error: unknown) =>
    parts.log.error({ operation: after.operation, reason: String(error) }, 'the former leader is no longer watched'),
  )
}

/** From its stored intent, after a restart. null: its cluster is not configured any more. */
export function handoffAgain(parts: ActionParts, intent: AuditEntry): Undertaking<HandoffPlan> | null {
  const { operation, subject, reason, asked, actor } = intent
  const reach = parts.reaches.get(subject.cluster ?? '')
  if (reach === undefined || subject.ref === undefined) return null
  const request = { verb: 'handoff' as const, operation, subject: { ...subject, cluster: reach.name }, reason, asked }
  return {
    ...request,
    situation: () => NOWHERE,
    prepare: () => Promise.reject(new Error('what was meant is stored already')),
    ...courseOf(parts, reach, request, actor.name),
  }
}

/** Those of an election that this run knows, the newest first. */
export function handoffsOf({ operations }: ActionParts, cluster: string, ref: ElectionRef): Operation[] {
  return operations.of(cluster, ref).filter(({ verb }) => verb === 'handoff')
}

const MOST_REMEMBERED = 100

/** After a restart: what earlier runs did is known again, and former leaders that may still act are warned of again. */
export function rememberHandoffs(parts: ActionParts): void {
  for (const outcome of newestOutcomes(parts).reverse()) {
    const intent = parts.audit.operation(outcome.operation)?.intent
    const reach = parts.reaches.get(outcome.subject.cluster ?? '')
    const { ref } = outcome.subject
    if (!intent || reach === undefined || ref === undefined || !outcome.outcome) continue
    const { operation, reason, asked, actor } = intent
    const request = {
      verb: 'handoff' as const,
      operation,
      subject: { ...intent.subject, cluster: reach.name },
      reason,
      asked,
    }
    const plan = intent.seen as HandoffPlan
    const known = operationOf({ role: null, actor }, request, intent.at)
    parts.operations.begin({ ...known, outcome: outcome.outcome, handoff: factsOf(plan) })
    if (outcome.outcome.is === 'verified') follow(parts, { operation, reach, ref, plan, isRemembered: true })
  }
}

function newestOutcomes({ audit, log }: ActionParts): AuditPage['entries'] {
  try {
    const { entries } = audit.list({ verb: 'handoff', kind: 'outcome', limit: MOST_REMEMBERED })
    return entries.filter(({ outcome }) => outcome !== undefined && outcome.is !== 'unknown')
  } catch (error) {
    log.error({ reason: String(error) }, 'the audit log cannot be read: handoffs of an earlier run are not known')
    return []
  }
}
