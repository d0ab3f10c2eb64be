/** Whether a stop has come to everybody, in words. Silence is never told as stopped. */
import type { StoppedCandidate, SwitchProof } from '../../lib/election/actions.ts'
import { count } from '../../lib/shared/format.ts'

export interface Unstopped {
  identity: string
  name: string
  ref: string
  state: Exclude<StoppedCandidate['state'], 'stopped'>
  hasSeat: boolean
}

/** Those of whom it is not known that they stopped, those with the seat first. */
export function unstopped({ elections }: SwitchProof): Unstopped[] {
  return elections
    .flatMap(({ candidates, name, ref }) =>
      candidates.flatMap(({ identity, state, hasSeat }) =>
        state === 'stopped' ? [] : [{ identity: identity || '(empty)', name, ref, state, hasSeat }],
      ),
    )
    .sort((a, b) => Number(b.hasSeat) - Number(a.hasSeat))
}

/** "5 of 6 candidates have stopped." */
export function acknowledgedWords({ acknowledged, of }: Pick<SwitchProof, 'acknowledged' | 'of'>): string {
  if (of === 0) return 'There is no candidate.'
  return `${acknowledged} of ${count(of, 'candidate')} ${of === 1 ? 'has' : 'have'} stopped.`
}

export function stateWords({ state, hasSeat }: Pick<StoppedCandidate, 'state' | 'hasSeat'>): string {
  switch (state) {
    case 'stopped':
      return 'stopped, and said so'
    case 'stopping':
      return hasSeat ? 'has the seat and has not acknowledged yet' : 'has not acknowledged yet'
    case 'cannot acknowledge':
      return hasSeat
        ? 'has the seat; it cannot acknowledge: treat it as running'
        : 'cannot acknowledge: treat it as running'
  }
}
