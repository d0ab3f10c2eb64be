import { expect, test } from 'vitest'
import { revision, ZERO } from '../../lib/election/ids.ts'
import { ProvenRevisions } from './proven-revisions.ts'

function at() {
  let monoMs = 0
  const proven = new ProvenRevisions({ monoMs: () => monoMs, nowMs: () => 0 })
  const pass = (ms: number) => {
    monoMs += ms
  }
  return { proven, pass }
}

test('a member has a second to come to what a linearizable read has shown', () => {
  const { proven, pass } = at()
  expect(proven.due()).toBe(ZERO)
  proven.proven(revision('9'))
  pass(999)
  proven.proven(revision('10'))
  expect(proven.due()).toBe(ZERO)
  pass(1)
  expect(proven.due()).toBe('9')
  pass(999)
  expect(proven.due()).toBe('10')
})

test('the second is not begun anew by answers that show nothing new', () => {
  const { proven, pass } = at()
  for (let beat = 0; beat < 4; beat += 1) {
    proven.proven(revision('7'))
    pass(300)
  }
  expect(proven.due()).toBe('7')
})

test('after a restore the old revisions measure nobody', () => {
  const { proven, pass } = at()
  proven.proven(revision('59'))
  pass(2_000)
  proven.reset()
  proven.proven(revision('7'))
  pass(2_000)
  expect(proven.due()).toBe('7')
})
