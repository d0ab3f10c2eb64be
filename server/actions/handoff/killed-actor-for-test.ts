/** A server that is killed at one moment of a handoff: before it sends, right after, before it stores the outcome, or at any. */

import { ANN } from '../callers-for-test.ts'
import { actByHand } from './acting-by-hand-for-test.ts'

export interface KilledPlan {
  endpoints: readonly string[]
  auditFile: string
  ref: string
  operation: string
  method: 'ask' | 'revoke-session' | 'remove-key'
  /** A number: milliseconds after the intent was stored. */
  dies: 'before' | 'right after' | 'before the outcome' | number
}

const die = () => process.kill(process.pid, 'SIGKILL')

async function act({ endpoints, auditFile, ref, operation, method, dies }: KilledPlan): Promise<void> {
  const { actions, audit, etcd } = await actByHand({ endpoints, watched: endpoints, watch: ['jobs/'], auditFile })
  if (dies === 'before') etcd.before = () => void die()
  // Time enough for most of what was sent to reach etcd, and for none of its answers to be stored.
  if (dies === 'right after') etcd.sent = () => new Promise(() => setTimeout(die, 3))
  const add = audit.add.bind(audit)
  audit.add = (draft) => {
    if (draft.kind === 'outcome' && dies === 'before the outcome') die()
    const entry = add(draft)
    if (draft.kind === 'intent' && typeof dies === 'number') setTimeout(die, dies)
    return entry
  }
  const action = method === 'remove-key' ? 'remove-key' : 'handoff'
  const { token } = await actions.preflight(ANN, { cluster: 'test', ref, action })
  const input = { cluster: 'test', ref, token, method, reason: 'a test', operation, deadlineMs: 30_000 }
  await actions.handoff(ANN, input)
  // Done before its time came.
  if (typeof dies === 'number') die()
}

await act(JSON.parse(process.argv[2] ?? '') as KilledPlan)
