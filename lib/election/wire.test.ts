import { describe, expect, test } from 'vitest'
import { compareTokens, decimalRevision, fencingToken } from './epoch.ts'
import { handoffRequest, leaseHex } from './handoff.ts'
import { presence } from './presence.ts'
import { candidateReport, reportBatch } from './reports.ts'

const token = { epoch: 0, revision: '41' }

describe('64-bit values', () => {
  test.each(['0', '1', '9007199254740993', '9223372036854775807'])('the revision %s is kept as it is', (text) => {
    expect(decimalRevision.parse(text)).toBe(text)
  })

  test.each([41, '-1', '041', '0x29', '4.1', '', ' 41', '1e3', '99999999999999999999'])('%j is no revision', (text) => {
    expect(decimalRevision.safeParse(text).success).toBe(false)
  })

  test.each(['694D93F1C2A07A1F', '694d93f1c2a07a1', '694d93f1c2a07a1f0', '0x4d93f1c2a07a1f', ''])(
    '"%s" is no lease: 16 lower-case hex digits',
    (text) => {
      expect(leaseHex.safeParse(text).success).toBe(false)
    },
  )

  test('tokens compare by epoch, then as numbers', () => {
    const tokens = ['1.5', '0.10', '0.9', '0.9007199254740993', '0.9007199254740992'].map((text) => {
      const [epoch, revision] = text.split('.')
      return fencingToken.parse({ epoch: Number(epoch), revision })
    })
    expect(tokens.sort(compareTokens).map(({ epoch, revision }) => `${epoch}.${revision}`)).toEqual([
      '0.9',
      '0.10',
      '0.9007199254740992',
      '0.9007199254740993',
      '1.5',
    ])
  })
})

describe('a handoff request', () => {
  const request = { v: 1, id: 'x', token, target: null, reason: '', by: 'a' }

  test('names its term, and a target by revision and lease or none', () => {
    expect(handoffRequest.safeParse(request).success).toBe(true)
    const target = { createRevision: '50', lease: '694d93f1c2a07a20' }
    expect(handoffRequest.safeParse({ ...request, target }).success).toBe(true)
    for (const wrong of [{ lease: target.lease }, { ...target, createRevision: 50 }, 'worker-b', undefined]) {
      expect(handoffRequest.safeParse({ ...request, target: wrong }).success).toBe(false)
    }
  })

  test.each([{ by: '' }, { id: '' }, { token: null }, { token: { epoch: -1, revision: '1' } }, { v: '1' }])(
    'with %j is none',
    (wrong) => {
      expect(handoffRequest.safeParse({ ...request, ...wrong }).success).toBe(false)
    },
  )
})

describe('presence', () => {
  const record = {
    v: 1,
    identity: '',
    state: 'waiting',
    token: null,
    switchNonces: [],
    lastResign: null,
    onMissingSwitch: 'run',
    metaPrefix: '/tenure/',
    client: 'c',
    version: '1',
  }

  test.each([
    { state: 'asleep' },
    { onMissingSwitch: 'maybe' },
    { lastResign: { reason: 'x' } },
    { switchNonces: null },
  ])('with %j is none', (wrong) => {
    expect(presence.safeParse(record).success).toBe(true)
    expect(presence.safeParse({ ...record, ...wrong }).success).toBe(false)
  })
})

describe('a report', () => {
  const report = {
    cluster: 'eu',
    layout: 'queue',
    prefixBase64: 'L2Uv',
    instance: 'a',
    identity: '',
    lease: null,
    state: 'leading',
    token,
    claimLeftMs: 0,
    lastWorkAgeMs: null,
    rejections: 0,
    missed: 0,
    renewals: [],
  }

  test.each([
    { cluster: '' },
    { layout: 'list' },
    { prefixBase64: 'no base64' },
    { prefixBase64: 'A'.repeat(8_196) },
    { instance: '' },
    { instance: 'i'.repeat(101) },
    { identity: 'i'.repeat(1_001) },
    { claimLeftMs: -1 },
    { claimLeftMs: 86_400_001 },
    { claimLeftMs: null, lastWorkAgeMs: 'yesterday' },
    { rejections: 0.5 },
    { missed: -1 },
    { renewals: Array.from({ length: 1_001 }, () => ({ ageMs: 0, rttMs: 1 })) },
    { renewals: [{ ageMs: 0, rttMs: 600_001 }] },
  ])('with %j is refused', (wrong) => {
    expect(candidateReport.safeParse(report).success).toBe(true)
    expect(candidateReport.safeParse({ ...report, ...wrong }).success).toBe(false)
  })

  test('comes with others, at most 500, and never with none', () => {
    const batch = (count: number) => ({ v: 1, reports: Array.from({ length: count }, () => report) })
    expect([0, 1, 500, 501].map((count) => reportBatch.safeParse(batch(count)).success)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('may carry fields that a later version adds: they are left aside', () => {
    expect(candidateReport.parse({ ...report, mood: 'good' })).toEqual(report)
  })
})
