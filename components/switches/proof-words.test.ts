import { expect, test } from 'vitest'
import type { StoppedCandidate, SwitchProof } from '../../lib/election/actions.ts'
import type { Revision } from '../../lib/election/types.ts'
import { acknowledgedWords, stateWords, unstopped } from './proof-words.ts'

const candidate = (identity: string, state: StoppedCandidate['state'], hasSeat = false): StoppedCandidate => ({
  identity,
  lease: null,
  state,
  hasSeat,
})

const proof: SwitchProof = {
  scopeBase64: '',
  nonce: 'n1',
  revision: '9' as Revision,
  mode: 'cooperative',
  acknowledged: 1,
  of: 3,
  electionCount: 1,
  releaseAskedBy: null,
  elections: [
    {
      ref: 'q~x',
      name: 'job',
      held: false,
      warnings: [],
      candidates: [candidate('a', 'stopped'), candidate('b', 'stopping'), candidate('', 'cannot acknowledge', true)],
    },
  ],
}

test('those who did not acknowledge are named, the one with the seat first', () => {
  expect(unstopped(proof).map(({ identity, state }) => [identity, state])).toEqual([
    ['(empty)', 'cannot acknowledge'],
    ['b', 'stopping'],
  ])
  expect(acknowledgedWords(proof)).toBe('1 of 3 candidates have stopped.')
})

test('silence is not told as stopped', () => {
  expect(stateWords({ state: 'cannot acknowledge', hasSeat: false })).toContain('treat it as running')
  expect(stateWords({ state: 'stopping', hasSeat: true })).toContain('has not acknowledged')
})
