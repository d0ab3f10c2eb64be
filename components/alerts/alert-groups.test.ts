import { expect, test } from 'vitest'
import { firingAt, groupsOf, told } from './alert-groups.ts'
import { alertOf } from './fixture.ts'

const AT = '2026-03-12T03:12:30.000Z'

test('what a mass event says already is folded under it', () => {
  const mass = alertOf({ id: 'm', key: 'mass', rule: 'mass-event' })
  const one = alertOf({ id: 'one', key: 'k1', partOf: 'mass' })
  const two = alertOf({ id: 'two', key: 'k2', partOf: 'mass' })
  const other = alertOf({ id: 'other', key: 'k3' })
  expect(groupsOf([mass, one, other, two])).toEqual([
    { alert: mass, parts: [one, two] },
    { alert: other, parts: [] },
  ])
  expect(told([mass, one, other, two])).toEqual([mass, other])
})

test('a part whose whole is over stands for itself', () => {
  const orphan = alertOf({ id: 'one', partOf: 'gone' })
  expect(groupsOf([orphan])).toEqual([{ alert: orphan, parts: [] }])
})

test('two that name each other, and one that names itself, are not lost', () => {
  const a = alertOf({ id: 'a', key: 'a', partOf: 'b' })
  const b = alertOf({ id: 'b', key: 'b', partOf: 'a' })
  const self = alertOf({ id: 'c', key: 'c', partOf: 'c' })
  expect(groupsOf([a, b, self])).toHaveLength(3)
})

test('nobody is told of a silenced or pending one', () => {
  expect(told([alertOf({ silence: 's1' }), alertOf({ stage: 'pending', firedAt: null })])).toEqual([])
})

test('of the past: those that fired then, without what was done later', () => {
  const still = alertOf({
    id: 'still',
    acknowledged: { by: 'u1', at: '2026-03-12T03:20:00.000Z', comment: '' },
    silence: 's1',
  })
  const over = alertOf({ id: 'over', resolvedAt: '2026-03-12T03:12:20.000Z', stage: 'resolved' })
  const overLater = alertOf({
    id: 'later',
    severity: 'warning',
    resolvedAt: '2026-03-12T03:13:00.000Z',
    stage: 'resolved',
  })
  const notYet = alertOf({ id: 'not yet', firedAt: '2026-03-12T03:12:31.000Z' })
  const found = firingAt([overLater, over, still, notYet], AT)
  expect(
    found.map(({ id, stage, acknowledged, resolvedAt, silence }) => [id, stage, acknowledged, resolvedAt, silence]),
  ).toEqual([
    ['still', 'firing', null, null, null],
    ['later', 'firing', null, null, null],
  ])
  const seen = alertOf({ acknowledged: { by: 'u1', at: AT, comment: '' } })
  expect(firingAt([seen], AT)[0]?.acknowledged).not.toBeNull()
})
