import { describe, expect, test } from 'vitest'
import type { ForecastElection } from '../../../lib/election/actions.ts'
import type { KeyValue } from '../../../lib/election/ports.ts'
import type { Presence } from '../../../lib/election/presence.ts'
import { heldValue } from '../../../lib/election/switches.ts'
import type { LeaseId, Revision } from '../../../lib/election/types.ts'
import { fromLatin1, utf8 } from '../../../lib/shared/bytes.ts'
import { proposalFor } from './switch-forecast.ts'
import { stoppedElection } from './switch-proof.ts'

const who = (identity: string, acknowledges: boolean) => ({ identity, keyBase64: btoa(identity), acknowledges })

function election(over: Partial<ForecastElection>): ForecastElection {
  const few = { leader: who('a', true), nextUp: null, candidates: 1, acknowledging: 1, foreignNext: null }
  return { ref: 'q~x', name: 'job', ...few, ...over }
}

describe('a forecast', () => {
  test.each<[string, ForecastElection[], string, RegExp]>([
    ['nobody is there', [], 'cooperative', /^No candidate/],
    ['all read the switch', [election({}), election({})], 'cooperative', /^All 2 candidates/],
    [
      'a leader does not',
      [election({ leader: who('go', false), acknowledging: 0 }), election({})],
      'enforced',
      /^1 of 2 leaders cannot/,
    ],
    [
      'a waiter would lead',
      [election({ candidates: 2, foreignNext: 'go-2' })],
      'enforced',
      /^When its leader stops, go-2 would lead job/,
    ],
    [
      'so in several',
      [election({ candidates: 2, foreignNext: '' }), election({ candidates: 2, foreignNext: 'x' })],
      'enforced',
      /a candidate without a name would lead job.*and so in 1 other election/,
    ],
    ['only a waiter is there', [election({ leader: null, acknowledging: 0 })], 'enforced', /^Candidates wait/],
  ])('when %s', (_name, elections, proposes, because) => {
    const proposal = proposalFor(elections)
    expect(proposal.proposes).toBe(proposes)
    expect(proposal.because).toMatch(because)
  })
})

const lease = (n: number) => n.toString(16).padStart(16, '0') as LeaseId
const kv = (n: number, value: string, on: LeaseId | null = lease(n)): KeyValue => ({
  key: fromLatin1(`/e/job/${n}`),
  value: utf8(value),
  lease: on,
  createRevision: String(n) as Revision,
  modRevision: String(n) as Revision,
})
const says = (identity: string, over: Partial<Presence> = {}): Presence => ({
  v: 1,
  identity,
  state: 'stopped',
  token: null,
  switchNonces: ['n1'],
  lastResign: null,
  onMissingSwitch: 'run',
  metaPrefix: '/tenure/',
  client: 'tenure-ts',
  version: '0.1.0',
  ...over,
})
const about = { ref: 'q~x', name: 'job', warnings: [] }
const shown = (keys: KeyValue[], said: [number, Presence | null][]) =>
  stoppedElection(about, { keys, said: new Map(said.map(([n, each]) => [lease(n), each])) }, 'n1')

describe('the proof of a stop', () => {
  test('counts as stopped who acknowledged this very engaging, in or out of the queue', () => {
    const { held, candidates } = shown(
      [kv(1, 'leads'), kv(2, 'go')],
      [
        [1, says('leads', { state: 'draining', switchNonces: [] })],
        [3, says('stopped')],
        [4, says('of an earlier stop', { switchNonces: ['n0'] })],
        [5, says('waits', { state: 'waiting' })],
        [6, null],
      ],
    )
    expect(held).toBe(false)
    expect(candidates.map(({ identity, state, hasSeat }) => [identity, state, hasSeat])).toEqual([
      ['leads', 'stopping', true],
      ['go', 'cannot acknowledge', false],
      ['stopped', 'stopped', false],
      ['of an earlier stop', 'stopping', false],
      ['waits', 'stopping', false],
      ['', 'cannot acknowledge', false],
    ])
  })

  test('names the former leader whose key is held, unless it is one of those who say so themselves', () => {
    const mark = { nonce: 'n1', operation: 'o', by: 'Ann', layout: 'queue' as const, lease: lease(1), identity: 'go-1' }
    const head = (library: boolean) => kv(1, heldValue({ ...mark, library }), null)
    const foreign = shown([head(false), kv(2, 'go-2')], [])
    expect([foreign.held, foreign.candidates.map(({ identity, hasSeat }) => [identity, hasSeat])]).toEqual([
      true,
      [
        ['go-2', false],
        ['go-1', false],
      ],
    ])
    expect(shown([head(true)], [[3, says('lib')]]).candidates.map(({ identity }) => identity)).toEqual(['lib'])
  })
})
