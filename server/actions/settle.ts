/** From the write to an outcome that is known: never both done and not done, and nothing is written twice. */
import type { Outcome } from '../../lib/election/actions.ts'
import { EtcdError } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'
import { sleep } from '../../lib/shared/abort.ts'
import type { Json } from '../history/audit.ts'
import type { Caller } from './caller.ts'
import type { ActionParts } from './parts.ts'
import { draftOf, UNKNOWN, type Undertaking } from './undertaking.ts'

const FIRST_LOOK_AGAIN_MS = 250
const LONGEST_LOOK_AGAIN_MS = 5_000
/**
 * A request that etcd has not applied so long after a read showed it unchanged is not coming: what was sent
 * before that read has arrived or is lost, and etcd's own deadlines are shorter.
 */
const SETTLED_AFTER_MS = 15_000
/** Refused by etcd as a whole: certain not to have been applied. */
const REFUSED: ReadonlySet<EtcdError['kind']> = new Set(['denied', 'auth', 'no-space', 'too-large'])

export interface Course<Plan> {
  plan: Plan
  startedMs: number
  /** A restart came between: what was sent is not sent again. */
  resumed: boolean
}

export async function settle<Plan extends Json>(
  parts: ActionParts,
  caller: Caller,
  what: Undertaking<Plan>,
  { plan, startedMs, resumed }: Course<Plan>,
): Promise<void> {
  const tell = (outcome: Outcome) => {
    parts.operations.update(what.operation, { outcome })
    const durationMs = Math.round(parts.clock.monoMs() - startedMs)
    parts.recorder.keep({ ...draftOf(caller, what), kind: 'outcome', seen: null, outcome, durationMs })
  }
  const look = looking(parts, what, plan)
  let outcome = resumed && !what.isRepeatable ? null : await acted(what, plan)
  if (outcome === null) outcome = await look()
  if (outcome === null && !resumed) tell(UNKNOWN)
  for (let waitMs = FIRST_LOOK_AGAIN_MS; outcome === null; waitMs = Math.min(waitMs * 2, LONGEST_LOOK_AGAIN_MS)) {
    await sleep(waitMs, parts.signal)
    if (parts.signal.aborted) return
    outcome = await look()
  }
  what.watched?.ends(outcome)
  tell(outcome)
}

/** null: whether it was done is open. */
async function acted<Plan extends Json>({ act }: Undertaking<Plan>, plan: Plan): Promise<Outcome | null> {
  try {
    return await act(plan)
  } catch (error) {
    if (error instanceof EtcdError && REFUSED.has(error.kind)) {
      return { is: 'failed', words: `etcd refused it: ${error.message}`, revision: null }
    }
    return null
  }
}

/** null: it is still open. */
function looking<Plan extends Json>({ clock }: ActionParts, { verify, notDone = '' }: Undertaking<Plan>, plan: Plan) {
  let unchangedSinceMs: number | null = null
  return async (): Promise<Outcome | null> => {
    const verdict = await verify(plan).catch(() => null)
    if (verdict === null || verdict.is === 'unknown') return null
    if (verdict.is !== 'unchanged') return verdict
    const revision = verdict.revision as Revision
    unchangedSinceMs ??= clock.monoMs()
    const isSettled = clock.monoMs() - unchangedSinceMs > SETTLED_AFTER_MS
    return isSettled
      ? { is: 'failed', words: `${notDone}Not executed: unchanged at revision ${revision}.`, revision }
      : null
  }
}
