/** Whether a stop has come to everybody, read in etcd at one revision. */
import type { StoppedCandidate, StoppedElection, SwitchProof } from '../../../lib/election/actions.ts'
import { identityOf } from '../../../lib/election/layouts.ts'
import type { KeyValue, Op } from '../../../lib/election/ports.ts'
import type { Presence } from '../../../lib/election/presence.ts'
import { type HeldMark, readHeld, readSwitch, type SwitchRecord } from '../../../lib/election/switches.ts'
import type { ElectionState, LeaseId, Revision } from '../../../lib/election/types.ts'
import { latin1, latin1FromBase64 } from '../../../lib/shared/bytes.ts'
import { READ_WITHIN_MS, spanOf } from '../read-election.ts'
import type { ReleaseRequest } from './release-requests.ts'
import { type Present, readPresent, unwatchedIn } from './switch-present.ts'
import { electionsIn, type Scope } from './switch-scope.ts'

const MOST_SHOWN = 200
/** etcd takes 128 operations in one transaction. */
const AT_ONCE = 100
const MOST_KEYS = 200

export interface ProofRest {
  releaseAsked: ReleaseRequest | null
  warningsOf: (ref: string) => readonly string[]
}

/** The same for all who look at the same time. */
export type SharedProof = Omit<SwitchProof, 'releaseAskedBy'> & Pick<ProofRest, 'releaseAsked'>

/** null: the scope has no engaged record, or none that can be read. Rejects with `EtcdError`. */
export async function switchProof(
  scope: Scope,
  rest: (record: SwitchRecord, modRevision: Revision) => ProofRest,
  signal: AbortSignal,
): Promise<SharedProof | null> {
  const { reach, key, scopeBase64 } = scope
  const { header, kvs } = await reach.etcd.range({ key, limit: 1 }, { deadlineMs: READ_WITHIN_MS, signal })
  const [kv] = kvs
  const record = kv === undefined ? null : readSwitch(kv.value)
  if (kv === undefined || record?.state !== 'engaged') return null
  const present = await readPresent(scope, record.match, signal)
  const states = electionsIn(scope, record.match)
  const queues = await readQueues(scope, states, header.revision, signal)
  const { warningsOf, releaseAsked } = rest(record, kv.modRevision)
  const elections = states.map((state, at) =>
    stoppedElection(
      { ref: state.ref, name: reach.view.nameOf(state), warnings: warningsOf(state.ref) },
      { keys: ownKeys(state, queues[at] ?? []), said: present.byPrefix.get(latin1FromBase64(state.prefixBase64)) },
      record.nonce,
    ),
  )
  for (const { said, ...about } of unwatchedIn(scope, record.match, present)) {
    elections.push(stoppedElection({ ...about, warnings: [] }, { keys: [], said }, record.nonce))
  }
  const all = elections.flatMap(({ candidates }) => candidates)
  return {
    scopeBase64,
    nonce: record.nonce,
    revision: header.revision,
    mode: record.mode ?? 'cooperative',
    acknowledged: all.filter(({ state }) => state === 'stopped').length,
    of: all.length,
    elections: elections.slice(0, MOST_SHOWN),
    electionCount: elections.length,
    releaseAsked,
  }
}

async function readQueues(
  { reach }: Scope,
  states: readonly ElectionState[],
  at: Revision,
  signal: AbortSignal,
): Promise<(readonly KeyValue[])[]> {
  const queues: (readonly KeyValue[])[] = []
  for (let from = 0; from < states.length; from += AT_ONCE) {
    const success = states.slice(from, from + AT_ONCE).map(
      ({ layout, prefixBase64 }): Op => ({
        type: 'range',
        request: { ...spanOf(layout, latin1FromBase64(prefixBase64)), at, order: 'oldest-first', limit: MOST_KEYS },
      }),
    )
    queues.push(...(await reach.etcd.txn({ compare: [], success }, { deadlineMs: READ_WITHIN_MS, signal })).ranges)
  }
  return queues
}

/** Without the keys of elections nested deeper. */
function ownKeys({ layout, prefixBase64 }: ElectionState, keys: readonly KeyValue[]): readonly KeyValue[] {
  const skip = latin1FromBase64(prefixBase64).length
  return layout === 'single-key' ? keys : keys.filter(({ key }) => !latin1(key).slice(skip).includes('/'))
}

interface There {
  /** Oldest first. */
  keys: readonly KeyValue[]
  said: ReadonlyMap<LeaseId, Presence | null> | undefined
}

/** Pure. */
export function stoppedElection(
  about: Pick<StoppedElection, 'ref' | 'name' | 'warnings'>,
  { keys, said = new Map() }: There,
  nonce: string,
): StoppedElection {
  const [head] = keys
  const held = head === undefined ? null : readHeld(head)
  const competing = keys.filter((kv) => readHeld(kv) === null)
  const queued = competing.map((kv): StoppedCandidate => {
    const says = kv.lease === null ? undefined : said.get(kv.lease)
    return { identity: identityOf(kv.value), lease: kv.lease, state: stateOf(says, nonce), hasSeat: kv === head }
  })
  const leases = new Set(queued.map(({ lease }) => lease))
  const away = [...said].flatMap(([lease, says]): StoppedCandidate[] =>
    leases.has(lease) ? [] : [{ identity: says?.identity ?? '', lease, state: stateOf(says, nonce), hasSeat: false }],
  )
  return { ...about, held: held !== null, candidates: [...queued, ...away, ...former(held, leases, said)] }
}

/** Whose key is held: it may not have noticed. */
function former(held: HeldMark | null, leases: ReadonlySet<LeaseId | null>, said: There['said']): StoppedCandidate[] {
  if (held === null || held.lease === null || held.library || leases.has(held.lease) || said?.has(held.lease)) return []
  return [{ identity: held.identity, lease: held.lease, state: 'cannot acknowledge', hasSeat: false }]
}

function stateOf(says: Presence | null | undefined, nonce: string): StoppedCandidate['state'] {
  if (!says) return 'cannot acknowledge'
  return says.state === 'stopped' && says.switchNonces.includes(nonce) ? 'stopped' : 'stopping'
}

export type { Present }
