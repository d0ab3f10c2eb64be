/** Changes of leader for tests. */
import type { Transition } from './transitions.ts'
import { transitionTotalMs } from './transitions.ts'
import type { ElectionRef } from './types.ts'

export const START_MS = Date.parse('2026-03-12T00:00:00.000Z')

/** A failover at `at` seconds after the start: 8 s detect, 0.2 s vacancy, 0.8 s takeover. */
export function lost(at: number, part: Partial<Transition> & { name?: string } = {}): Transition {
  const { name = 'jobs', ...rest } = part
  const atMs = START_MS + at * 1_000
  const known: Transition = {
    ref: `q~${name}` as ElectionRef,
    atMs,
    nextMs: atMs + 200,
    cause: 'lease lost',
    kind: 'failover',
    detectMs: 8_000,
    refillMs: null,
    vacancyMs: 200,
    takeoverMs: 800,
    totalMs: null,
    ...rest,
  }
  return { ...known, totalMs: transitionTotalMs(known.nextMs, known) }
}

export const handed = (at: number, part: Partial<Transition> & { name?: string } = {}): Transition =>
  lost(at, { cause: 'handed off', kind: 'planned', detectMs: null, ...part })
