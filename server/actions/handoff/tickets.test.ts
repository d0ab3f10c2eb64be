import { beforeEach, expect, test } from 'vitest'
import type { LeaseId, Revision } from '../../../lib/election/types.ts'
import type { Clock } from '../../../lib/shared/clock.ts'
import { ANN, BEN } from '../callers-for-test.ts'
import { TICKET_MS, Tickets } from './tickets.ts'

let nowMs = 0
const clock: Clock = { nowMs: () => 0, monoMs: () => nowMs }
const leader = {
  identity: 'a',
  key: 'el/1',
  keyBase64: 'ZWwvMQ==',
  lease: '0000000000000001' as LeaseId,
  createRevision: '5' as Revision,
  modRevision: '5' as Revision,
}
const wanted = { cluster: 'test', ref: 'q~abc', action: 'handoff' as const }
const seen = { ...wanted, leader, leaseKeys: [], hasStandby: true }
const refused = (words: string) =>
  expect.objectContaining({ refusal: expect.objectContaining({ code: 'token', why: expect.stringContaining(words) }) })
const refusalOf = (act: () => unknown) => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

let tickets: Tickets
beforeEach(() => {
  nowMs = 1_000
  tickets = new Tickets(clock)
})

test('is good once, for 30 s by the monotonic clock', () => {
  const token = tickets.issue(ANN, seen)
  nowMs += TICKET_MS
  const ticket = tickets.find(token, ANN, wanted)
  tickets.use(ticket)
  expect(refusalOf(() => tickets.use(ticket))).toEqual(refused('used already'))
  const other = tickets.find(tickets.issue(ANN, seen), ANN, wanted)
  nowMs += TICKET_MS + 1
  expect(refusalOf(() => tickets.use(other))).toEqual(refused('good for 30 s'))
})

test('still tells what was seen when it is used or too old, so that a stale screen learns what changed', () => {
  const token = tickets.issue(ANN, seen)
  nowMs += 10 * 60_000
  expect(tickets.find(token, ANN, wanted).leader).toBe(leader)
  nowMs += 60 * 60_000
  tickets.issue(ANN, seen)
  expect(refusalOf(() => tickets.find(token, ANN, wanted))).toEqual(refused('not known'))
})

test('is of one person, election and action', () => {
  const token = tickets.issue(ANN, seen)
  expect(refusalOf(() => tickets.find(token, BEN, wanted))).toEqual(refused('somebody else'))
  expect(refusalOf(() => tickets.find(token, ANN, { ...wanted, ref: 'q~b' }))).toEqual(refused('another election'))
  expect(refusalOf(() => tickets.find(token, ANN, { ...wanted, cluster: 'b' }))).toEqual(refused('another election'))
  expect(refusalOf(() => tickets.find(token, ANN, { ...wanted, action: 'remove-key' }))).toEqual(
    refused('mod revision'),
  )
  expect(tickets.find(token, ANN, wanted).isUsed).toBe(false)
})

test('cannot be guessed', () => {
  const tokens = new Set(Array.from({ length: 100 }, () => tickets.issue(ANN, seen)))
  expect(tokens.size).toBe(100)
  for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/)
})

test('keeps at most 2,000', () => {
  const first = tickets.issue(ANN, seen)
  for (let n = 0; n < 2_000; n += 1) tickets.issue(ANN, seen)
  expect(refusalOf(() => tickets.find(first, ANN, wanted))).toEqual(refused('not known'))
})
