/** States for tests, made by the real reducer. */
import type { KeyPut } from '../../lib/election/changes.ts'
import { openElection, reduceElection } from '../../lib/election/reducer.ts'
import type { Cluster, ElectionState, LeaseId, Revision, Term } from '../../lib/election/types.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'

export const START = '2026-03-12T03:00:00.000Z'
export const later = (seconds: number) => instant(msOf(START) + seconds * 1_000)
export const revision = (n: number | string) => String(n) as Revision
export const PREFIX = '/elections/payments/ledger-writer/'

interface PutOptions {
  identity: string
  create: number | string
  mod?: number | string
  lease?: string | null
  key?: string
  nested?: boolean
}

export function put({ identity, create, mod = create, lease = `a${create}`, key, nested = false }: PutOptions): KeyPut {
  const text = key ?? `${PREFIX}${lease}`
  return {
    key: text,
    keyBase64: base64FromLatin1(text),
    identity,
    valueBytes: identity.length,
    lease: lease as LeaseId | null,
    createRevision: revision(create),
    modRevision: revision(mod),
    nested,
  }
}

interface OpenOptions {
  keys?: readonly KeyPut[]
  live?: boolean
  confirmed?: boolean
  layout?: 'queue' | 'single-key'
}

export function open({ keys = [], live = true, confirmed = true, layout = 'queue' }: OpenOptions = {}): ElectionState {
  const { state } = openElection({
    type: 'opened',
    at: START,
    revision: revision(10),
    live,
    layout,
    prefix: PREFIX,
    prefixBase64: base64FromLatin1(PREFIX),
    confirmed,
    foundBy: 'keys named by their own lease id in hex',
    epoch: 0,
    keys,
  })
  return live ? watchedFromTheStart(state) : state
}

/** As if each key had been seen to come. */
function watchedFromTheStart(state: ElectionState): ElectionState {
  const candidates = state.candidates.map((candidate) => ({ ...candidate, sinceAtLeast: false }))
  return { ...state, candidates, term: state.term && { ...state.term, fromAtLeast: false } }
}

interface Step {
  at: number
  revision: number
  puts?: readonly KeyPut[]
  deletes?: readonly KeyPut[]
  /** The head's lease was found gone afterwards. */
  lost?: boolean
}

export function step(state: ElectionState, { at, revision: n, puts = [], deletes = [], lost }: Step) {
  const stepped = reduceElection(state, {
    type: 'revision',
    at: later(at),
    revision: revision(n),
    puts,
    deletes: deletes.map(({ keyBase64 }) => keyBase64),
  })
  const token = state.term?.token
  if (!lost || token === undefined) return stepped
  const endedBy = { cause: 'lease lost', evidence: 'its lease is gone' } as const
  return reduceElection(stepped.state, { type: 'cause', token, endedBy })
}

export function sampled(state: ElectionState, put: KeyPut, remainingMs: number, at: number): ElectionState {
  const sample = { grantedMs: 10_000, remainingMs, asOf: later(at) }
  return reduceElection(state, { type: 'lease', lease: put.lease as LeaseId, sample }).state
}

export const CLUSTER: Cluster = {
  name: 'prod-eu',
  clusterId: '14841639068965178418',
  revision: revision(10),
  epoch: 0,
  freshness: 'live',
  asOf: later(60),
  quorum: true,
  watched: [],
  readOnly: false,
  members: [],
  probeP95Ms: null,
  raftTerm: '2',
  raftLeaderChanges: [],
  gaps: [],
  sampling: { leaders: 1, sampled: 1 },
}

export function term(ordinal: number, overrides: Partial<Term> = {}): Term {
  return {
    ordinal,
    epoch: 0,
    token: revision(100 + ordinal),
    leader: { identity: `w${ordinal}`, key: `k${ordinal}`, keyBase64: `k${ordinal}`, lease: null },
    from: later(ordinal * 100),
    fromAtLeast: false,
    to: later(ordinal * 100 + 90),
    gapMs: 10_000,
    takeoverMs: null,
    silentMs: null,
    endedBy: { cause: 'lease lost', evidence: 'its lease is gone' },
    ...overrides,
  }
}
