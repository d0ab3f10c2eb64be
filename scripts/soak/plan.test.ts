import { expect, test } from 'vitest'
import { planOf } from './plan.ts'

test('the same seed makes the same plan, another one another', () => {
  expect(planOf(7, 60_000)).toEqual(planOf(7, 60_000))
  expect(planOf(7, 60_000)).not.toEqual(planOf(8, 60_000))
})

test('steps are in order, and leave the beginning and the end alone', () => {
  const steps = planOf(3, 600_000)
  expect(steps.map(({ atMs }) => atMs)).toEqual(steps.map(({ atMs }) => atMs).sort((a, b) => a - b))
  expect(steps[0]?.atMs).toBeGreaterThanOrEqual(4_000)
  expect(steps.at(-1)?.atMs).toBeLessThan(596_000)
})

test('ten minutes bring every fault, overlapping and apart', () => {
  const steps = planOf(1, 600_000)
  const names = new Set(steps.map((step) => ('what' in step ? step.what : step.mode)))
  expect([...names].sort()).toEqual(
    [
      ...['black-hole', 'compact', 'delay', 'freeze member', 'freeze pod', 'freeze raft leader', 'freeze server'],
      ...['freeze two members', 'join', 'kill elect', 'kill member', 'kill pod', 'kill raft leader', 'kill server'],
      ...['kill two members', 'leave', 'move raft leader', 'proclaim', 'refuse', 'reset', 'resign', 'revoke'],
      'stop elect',
    ].sort(),
  )
  expect(steps.some((step) => step.lane === 'network' && step.compact)).toBe(true)
  const faults = steps.filter((step) => step.lane !== 'churn')
  const gaps = faults.slice(1).map(({ atMs }, at) => atMs - (faults[at]?.atMs ?? 0))
  expect(Math.max(...gaps)).toBeGreaterThan(6_000)
  expect(Math.min(...gaps)).toBeLessThan(500)
})
