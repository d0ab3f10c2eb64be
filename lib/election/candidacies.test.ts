import { describe, expect, it } from 'vitest'
import { queueChange } from './candidacies.ts'
import type { ElectionChange, KeyPut } from './changes.ts'
import { openElection, reduceElection } from './reducer.ts'
import type { ElectionState, LeaseId, Revision } from './types.ts'

const at = (seconds: number) => new Date(1_773_284_400_000 + seconds * 1000).toISOString()
const rev = (value: number) => String(value) as Revision

function put(create: number, mod = create, part: Partial<KeyPut> = {}): KeyPut {
  const key = `/jobs/${create}`
  const lease = `694d7b1f2c3a${create}` as LeaseId
  const revisions = { createRevision: rev(create), modRevision: rev(mod) }
  return { key, keyBase64: btoa(key), identity: 'w', valueBytes: 1, lease, ...revisions, nested: false, ...part }
}

const OPENED: ElectionChange = {
  type: 'opened',
  at: at(0),
  revision: rev(2000),
  live: false,
  layout: 'queue',
  prefix: '/jobs/',
  prefixBase64: btoa('/jobs/'),
  confirmed: true,
  foundBy: 'key ends in its own lease id',
  epoch: 0,
  keys: [put(1001), put(1002)],
}
const opened = openElection(OPENED as Extract<ElectionChange, { type: 'opened' }>).state

function step(before: ElectionState, change: ElectionChange) {
  const { state } = reduceElection(before, change)
  const queue = queueChange(before, state, change)
  return queue && { ...queue, stand: queue.stand.map(({ createRevision }) => createRevision) }
}

describe('what a change did to the queue', () => {
  it('is all of it at first sight and at every listing, also where no fact tells of a candidate', () => {
    expect(queueChange(undefined, opened, OPENED)).toMatchObject({ whole: true, stand: opened.candidates, left: [] })
    const gap = { from: at(1), to: at(2), reason: 'compacted' }
    const relisted = { type: 'relisted', at: at(2), revision: rev(2001), keys: [put(1002)], gap } as const
    expect(step(opened, relisted)).toEqual({ at: at(2), epoch: 0, whole: true, stand: ['1002'], left: [] })
    const rolled = { type: 'rolled-back', at: at(2), epoch: 1, from: rev(9), revision: rev(1), keys: [put(1)] } as const
    expect(step(opened, rolled)).toMatchObject({ epoch: 1, whole: true, stand: ['1'] })
  })

  it('is those that one revision touched, and nobody who was not there', () => {
    const change = { type: 'revision', at: at(3), revision: rev(2003), puts: [put(2003)] } as const
    const gone = [put(1001).keyBase64, btoa('/jobs/never')]
    expect(step(opened, { ...change, deletes: gone })).toEqual({
      at: at(3),
      epoch: 0,
      whole: false,
      stand: ['2003'],
      left: [put(1001).keyBase64],
    })
    expect(step(opened, { ...change, puts: [], deletes: [btoa('/jobs/never')] })).toBeNull()
  })

  it('is nothing where a change came too late or concerns no key', () => {
    expect(step(opened, { type: 'revision', at: at(3), revision: rev(1999), puts: [put(7)], deletes: [] })).toBeNull()
    expect(step(opened, { type: 'confirmed', foundBy: 'confirmed by ann' })).toBeNull()
    const sample = { grantedMs: 10_000, remainingMs: 9_000, asOf: at(4) }
    expect(step(opened, { type: 'lease', lease: put(1001).lease as LeaseId, sample })).toBeNull()
  })
})
