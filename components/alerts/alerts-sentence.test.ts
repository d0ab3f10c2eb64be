import { expect, test } from 'vitest'
import type { Alert, Silence } from '../../lib/election/alerts.ts'
import { alertsSentence, pastSentence } from './alerts-sentence.ts'
import { alertOf, NOW, silenceOf } from './fixture.ts'

const acknowledged = { by: 'u1', at: NOW, comment: '' }
const slow = alertOf({ id: 'a2', rule: 'renewal-slow', severity: 'warning', summary: 'media/dispatch renews slowly.' })
const spoken = (alerts: Alert[], silences: Silence[] = []) => {
  const { strong, rest } = alertsSentence({ alerts, silences }, NOW)
  return `[${strong}]${rest}`
}

test('how many fire, and the worst that nobody has acknowledged', () => {
  expect(spoken([alertOf(), slow])).toBe(
    '[2 alerts fire], 1 of them critical and not acknowledged: billing/settlement has no leader since 03:12:06.',
  )
  expect(spoken([alertOf()])).toBe(
    '[1 alert fires], critical and not acknowledged: billing/settlement has no leader since 03:12:06.',
  )
})

test('an acknowledged critical one gives way to a warning that is not', () => {
  expect(spoken([alertOf({ acknowledged }), slow])).toBe(
    '[2 alerts fire], 1 of them not acknowledged: media/dispatch renews slowly since 03:12:06.',
  )
})

test('all acknowledged', () => {
  expect(spoken([alertOf({ acknowledged }), { ...slow, acknowledged }])).toBe(
    '[2 alerts fire], all acknowledged: billing/settlement has no leader since 03:12:06.',
  )
  expect(spoken([alertOf({ acknowledged, sinceApproximate: true })])).toBe(
    '[1 alert fires], acknowledged: billing/settlement has no leader since about 03:12:06.',
  )
})

test('what is part of another is not counted', () => {
  const mass = alertOf({ key: 'mass', rule: 'mass-event', summary: '40 elections lost their leader' })
  const parts = [1, 2, 3].map((n) => alertOf({ id: `p${n}`, key: `p${n}`, partOf: 'mass' }))
  expect(spoken([mass, ...parts])).toMatch(/^\[1 alert fires\]/)
})

test('nothing, nothing but silences, nothing that is not silenced, nothing yet', () => {
  expect(spoken([])).toBe('[Nothing fires.]')
  const silence = silenceOf()
  expect(spoken([], [silence])).toBe('[Nothing fires.] 1 silence holds until 05:00 UTC.')
  expect(spoken([], [silence, silenceOf({ id: 's2', until: '2026-03-13T09:30:00.000Z' })])).toBe(
    '[Nothing fires.] 2 silences hold, the first until 05:00 UTC.',
  )
  expect(spoken([], [silenceOf({ until: NOW }), silenceOf({ ended: { by: 'u1', at: NOW } })])).toBe('[Nothing fires.]')
  expect(spoken([alertOf({ silence: 's1' })], [silence])).toBe(
    '[Nothing fires that is not silenced.] 1 alert is silenced. 1 silence holds until 05:00 UTC.',
  )
  expect(spoken([alertOf({ stage: 'pending', firedAt: null })])).toBe(
    '[Nothing fires.] 1 alert waits to fire: billing/settlement has no leader since 03:12:06.',
  )
})

test('of the past', () => {
  expect(pastSentence([], NOW)).toEqual({ strong: 'Nothing fired then.', rest: '' })
  expect(pastSentence([alertOf()], NOW)).toEqual({
    strong: '1 alert fired',
    rest: ' then: billing/settlement has no leader since 03:12:06.',
  })
})
