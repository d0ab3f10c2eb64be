import { describe, expect, test } from 'vitest'
import type { Change, ElectionChange, Frame, FrameReason, KeyPut } from '../../lib/election/changes.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { refOf, revision } from '../../lib/election/ids.ts'
import { leaderOf } from '../../lib/election/queue.ts'
import type { Cluster, LeaseId } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import { Replica } from './replica.ts'

const PREFIX = '/e/job/'
const REF = refOf('queue', PREFIX)
const INFO: Cluster = {
  name: 'eu',
  clusterId: '1',
  revision: revision('1'),
  epoch: 0,
  freshness: 'live',
  asOf: null,
  quorum: true,
  watched: [{ prefix: '/e/', prefixBase64: btoa('/e/') }],
  readOnly: false,
  members: [],
  probeP95Ms: null,
  raftTerm: '1',
  raftLeaderChanges: [],
  gaps: [],
  sampling: { leaders: 0, sampled: 0 },
}

const at = (second: number) => instant(Date.parse('2026-03-12T03:00:00Z') + second * 1_000)

function put(name: string, created: number): KeyPut {
  const key = `${PREFIX}${name}`
  return {
    key,
    keyBase64: btoa(key),
    identity: name,
    valueBytes: name.length,
    lease: name as LeaseId,
    createRevision: revision(String(created)),
    modRevision: revision(String(created)),
    nested: false,
  }
}

const ofElection = (change: ElectionChange): Change => ({ type: 'election', cluster: 'eu', ref: REF, change })

function opened(keys: readonly KeyPut[]): Change {
  return ofElection({
    type: 'opened',
    at: at(0),
    revision: revision('10'),
    live: false,
    layout: 'queue',
    prefix: PREFIX,
    prefixBase64: btoa(PREFIX),
    confirmed: true,
    foundBy: 'test',
    epoch: 0,
    keys,
  })
}

/** At this revision the key of `gone` goes; whoever is next leads. */
function left(gone: string, created: number): Change {
  const deletes = [btoa(`${PREFIX}${gone}`)]
  return ofElection({ type: 'revision', at: at(created), revision: revision(String(created)), puts: [], deletes })
}

/** What the server had after these changes. */
function snapshot(id: string, changes: readonly Change[], reason: FrameReason = 'first'): Frame {
  const view = new ClusterView(INFO)
  for (const change of changes) view.apply(change)
  const clusters = [{ info: view.info, elections: [...view.elections.values()] }]
  return { id, type: 'snapshot', serverTime: at(1), reason, build: 'b1', clusters }
}

const change = (id: string, ...changes: Change[]): Frame => ({ id, type: 'change', serverTime: at(2), changes })

function leaderIn(replica: Replica): string | undefined {
  const state = replica.views.get('eu')?.elections.get(REF)
  return state && leaderOf(state.candidates)?.identity
}

const START = opened([put('a', 2), put('b', 3), put('c', 4)])

describe('replica', () => {
  test('follows a snapshot and the changes after it', () => {
    const replica = new Replica()
    expect(replica.apply(snapshot('boot-1', [START]))).toMatchObject({ whole: true })
    expect(leaderIn(replica)).toBe('a')
    expect(replica.apply(change('boot-2', left('a', 11)))).toMatchObject({ touched: [{ cluster: 'eu', ref: REF }] })
    expect(leaderIn(replica)).toBe('b')
  })

  test('a late snapshot never repaints a newer event', () => {
    const replica = new Replica()
    replica.apply(snapshot('boot-1', [START]))
    replica.apply(change('boot-2', left('a', 11)))
    replica.apply(change('boot-3', left('b', 12)))
    // Asked for before the changes, answered after them.
    expect(replica.apply(snapshot('boot-1', [START], 'behind'))).toBeNull()
    expect(leaderIn(replica)).toBe('c')
    expect(replica.lastId).toBe('boot-3')
  })

  test('a late change or a second copy of one changes nothing', () => {
    const replica = new Replica()
    replica.apply(snapshot('boot-5', [START, left('a', 11)]))
    const known = replica.views.get('eu')?.elections.get(REF)
    expect(replica.apply(change('boot-4', opened([put('z', 1)])))).toBeNull()
    expect(replica.apply(change('boot-5', left('b', 12)))).toBeNull()
    expect(replica.views.get('eu')?.elections.get(REF)).toBe(known)
  })

  test('a newer frame that carries an older revision does not take leadership back', () => {
    const replica = new Replica()
    replica.apply(snapshot('boot-1', [START]))
    replica.apply(change('boot-2', left('a', 11)))
    const again = ofElection({
      type: 'revision',
      at: at(3),
      revision: revision('9'),
      puts: [put('a', 2)],
      deletes: [],
    })
    replica.apply(change('boot-3', again))
    expect(leaderIn(replica)).toBe('b')
  })

  test('a sequence is compared as a number, not as text', () => {
    const replica = new Replica()
    replica.apply(snapshot('boot-9', [START]))
    expect(replica.apply(change('boot-10', left('a', 11)))).not.toBeNull()
    expect(replica.apply(change('boot-9', left('b', 12)))).toBeNull()
    expect(leaderIn(replica)).toBe('b')
  })

  test('a restarted server starts anew: its snapshot counts, a change without one does not', () => {
    const replica = new Replica()
    replica.apply(snapshot('boot-7', [START, left('a', 11)]))
    expect(replica.apply(change('next-8', left('b', 12)))).toBeNull()
    expect(leaderIn(replica)).toBe('b')
    expect(replica.apply(snapshot('next-1', [opened([put('d', 5)])], 'unknown-id'))).toMatchObject({ whole: true })
    expect(leaderIn(replica)).toBe('d')
    // What the old server still had in the pipe comes too late.
    expect(replica.apply(change('boot-9', left('d', 13)))).toBeNull()
    expect(leaderIn(replica)).toBe('d')
  })

  test('a snapshot of where the stream stands already is taken, for a viewer that was behind', () => {
    const replica = new Replica()
    replica.apply(snapshot('boot-4', [START]))
    expect(replica.apply(snapshot('boot-4', [START, left('a', 11)], 'behind'))).not.toBeNull()
    expect(leaderIn(replica)).toBe('b')
  })

  test('a heartbeat brings what is known of the cluster and keeps the elections', () => {
    const replica = new Replica()
    replica.apply(snapshot('boot-1', [START]))
    const info: Cluster = { ...INFO, freshness: 'stale', reason: 'etcd has no quorum' }
    replica.apply({ id: 'boot-2', type: 'heartbeat', serverTime: at(3), clusters: [info] })
    expect(replica.views.get('eu')?.info).toBe(info)
    expect(leaderIn(replica)).toBe('a')
  })

  test('what it hands to a newcomer is what it has, and nothing before it has anything', () => {
    const replica = new Replica()
    expect(replica.snapshot(at(1))).toBeNull()
    replica.apply(snapshot('boot-1', [START]))
    replica.apply(change('boot-2', left('a', 11)))
    const frame = replica.snapshot(at(5))
    expect(frame).toMatchObject({ id: 'boot-2', type: 'snapshot', serverTime: at(5), build: 'b1' })
    const newcomer = new Replica()
    if (frame !== null) newcomer.apply(frame)
    expect(leaderIn(newcomer)).toBe('b')
    // The newcomer goes on from there.
    newcomer.apply(change('boot-3', left('b', 12)))
    expect(leaderIn(newcomer)).toBe('c')
  })
})
