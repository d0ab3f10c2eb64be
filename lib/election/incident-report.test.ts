import { describe, expect, test } from 'vitest'
import { at, LOST, seen, seenElection, term } from './incident-for-test.ts'
import { incidentReport, MOST_TERMS } from './incident-report.ts'
import type { Revision } from './types.ts'

/** w1 is lost at 100 s; w2 leads 200 ms later and acts 300 ms after that. */
const failover = seenElection('jobs', {
  terms: [term(1, -500, 100, { silentMs: 8_000 }), term(2, 100.2, null, { gapMs: 200, takeoverMs: 300 })],
})
const wordsOf = (part: Parameters<typeof seen>[0]) => incidentReport(seen(part)).entries.map(({ words }) => words)

describe('an incident report', () => {
  test('tells a failover by its end, what its time was made of, and who followed', () => {
    const report = incidentReport(seen({ elections: [failover] }))
    expect(report.entries).toEqual([
      {
        type: 'term-ended',
        at: at(100),
        refs: [failover.ref],
        words: 'w1 lost the lead: #1 ended, lease lost (failover, over after 8.5 s)',
        why: LOST.evidence,
      },
      {
        type: 'term-began',
        at: at(100.2),
        refs: [failover.ref],
        words: 'w2 leads: #2, token 102, 200 ms after the one before',
      },
    ])
    expect(report.summary).toBe(
      '1 failover in 1 election in 10 m 00 s; 200 ms without a leader, all elections together.',
    )
    const [first, second] = report.elections[0]?.terms ?? []
    expect(first).toMatchObject({ kind: 'failover', detectMs: 8_000, vacancyMs: 200, takeoverMs: 300, totalMs: 8_500 })
    expect(second).toMatchObject({ kind: null, to: null, totalMs: null, unknownParts: [] })
  })

  test('has what somebody said of a term, whenever that was', () => {
    const annotation = { epoch: 0, token: '101' as Revision, by: 'ann' }
    const annotations = [
      { ...annotation, id: '1', kind: 'acknowledged' as const, at: at(4_000), text: '' },
      { ...annotation, id: '2', kind: 'note' as const, at: at(5_000), text: 'The disk was full.' },
    ]
    const [first] = incidentReport(seen({ elections: [{ ...failover, annotations }] })).elections[0]?.terms ?? []
    expect(first?.acknowledged).toEqual({ at: at(4_000), by: 'ann' })
    expect(first?.note).toEqual({ at: at(5_000), by: 'ann', text: 'The disk was full.' })
  })

  test('says that nothing changed where nothing did, and keeps terms that went on', () => {
    const elections = [seenElection('jobs', { terms: [term(1, -500, null)] })]
    const report = incidentReport(seen({ elections }))
    expect([report.summary, report.entries]).toEqual(['No leader changed in 10 m 00 s.', []])
    expect(report.elections[0]?.terms).toHaveLength(1)
  })

  test('tells the end of a term before the range to nobody, and a change at its very end neither', () => {
    const elections = [seenElection('jobs', { terms: [term(1, -500, -1), term(2, -0.5, 600, { gapMs: 500 })] })]
    const report = incidentReport(seen({ elections }))
    expect(report.entries).toEqual([])
    expect(report.elections[0]?.terms.map(({ ordinal }) => ordinal)).toEqual([2])
  })

  test('judges nothing after the moment in which it was made', () => {
    const elections = [seenElection('jobs', { terms: [term(1, -500, null)] })]
    const [election] = incidentReport(seen({ elections, madeAt: at(200) })).elections
    expect(election?.figures.judgedMs).toBe(200_000)
  })

  test('counts more terms than it lists', () => {
    const terms = Array.from({ length: MOST_TERMS + 50 }, (_, n) => term(n + 1, n, n + 1, { gapMs: 0 }))
    const [election] = incidentReport(seen({ elections: [seenElection('jobs', { terms })] })).elections
    expect([election?.terms.length, election?.terms[0]?.ordinal, election?.earlierTerms]).toEqual([MOST_TERMS, 51, 50])
    expect(election?.figures.failovers).toBe(MOST_TERMS + 50)
  })

  test('tells a gap of the whole cluster once, and one of an election as its own', () => {
    const whole = { from: at(10), to: at(20), reason: 'Tenure was not running' }
    const own = { from: at(30), to: at(31), reason: 'the watch was cut' }
    const report = incidentReport(seen({ gaps: [whole], elections: [seenElection('jobs', { gaps: [whole, own] })] }))
    expect(report.entries.map(({ at: from, refs, why }) => [from, refs?.length, why])).toEqual([
      [at(10), undefined, 'Tenure was not running'],
      [at(30), 1, 'the watch was cut'],
    ])
  })
})

describe('the timeline of the cluster', () => {
  test('has etcd raft leader changes within the range, and what lasted into it', () => {
    const raft = { kind: 'raft-leader' as const, subject: 'etcd-1' }
    const conditions = [
      { ...raft, from: at(-900), to: at(-800), raftTerm: '2' },
      { ...raft, subject: 'etcd-2', from: at(-790), to: at(50), raftTerm: '3' },
      { kind: 'no-quorum' as const, subject: '', from: at(50), to: at(55) },
      { ...raft, subject: 'etcd-3', from: at(55), to: null, raftTerm: '4' },
      { kind: 'alarm' as const, subject: 'NOSPACE etcd-1', from: at(-30), to: null },
      { kind: 'slow-probe' as const, subject: 'etcd-2', from: at(-30), to: at(-10), words: 'not answered' },
    ]
    const report = incidentReport(seen({ conditions }))
    expect(report.entries.map(({ words, to }) => [words, to])).toEqual([
      ['etcd alarm NOSPACE etcd-1', null],
      ['etcd had no quorum', at(55)],
      ['etcd raft leader changed from etcd-2 to etcd-3', undefined],
    ])
    expect(report.summary).toBe(
      'No leader changed in 10 m 00 s. The etcd raft leader changed once; etcd had no quorum for 5.0 s.',
    )
  })

  test('has kill switches with the elections they stopped, and how they ended', () => {
    const stop = {
      scope: '/e/',
      scopeBase64: btoa('/e/'),
      match: 'prefix' as const,
      nonce: 'n',
      by: 'ann',
      reason: 'bad deploy',
      from: at(10),
      to: at(70),
      ended: 'released' as const,
      endedBy: 'bob, confirmed by cy',
    }
    const [entry] = incidentReport(
      seen({ stops: [stop], elections: [failover, seenElection('x', { prefixBase64: btoa('/x/') })] }),
    ).entries
    expect(entry).toMatchObject({
      type: 'stop',
      refs: [failover.ref],
      words: 'Kill switch held /e/ stopped, engaged by ann, released by bob, confirmed by cy',
      why: 'bad deploy',
    })
    expect(wordsOf({ stops: [{ ...stop, scope: '', ended: 'vanished', endedBy: null }] })).toEqual([
      'Kill switch held everything stopped, engaged by ann, until its record vanished without a release',
    ])
  })

  test('has what people did, about an election of the report or about something else', () => {
    const action = {
      at: at(5),
      operation: 'op',
      verb: 'handoff',
      asked: {},
      who: 'ann',
      subject: 'jobs',
      reason: 'deploy',
      result: 'verified' as const,
      words: 'w2 leads.',
    }
    const actions = [
      { ...action, ref: failover.ref },
      { ...action, at: at(6), verb: 'engage', subject: '/other/', result: 'refused' as const, words: '' },
    ]
    const report = incidentReport(seen({ actions, elections: [{ ...failover, terms: [] }] }))
    expect(report.entries.map(({ words, refs, why }) => [words, refs?.length, why])).toEqual([
      ['ann: Hand off: verified. w2 leads.', 1, 'deploy'],
      ['ann: Engage kill switch (/other/): refused', undefined, 'deploy'],
    ])
  })

  test('has mass events with what etcd was like before', () => {
    const mass = {
      fromMs: Date.parse(at(60)),
      toMs: Date.parse(at(61.5)),
      elections: 14,
      failovers: 14,
      open: 0,
      leastMs: 1,
      medianMs: 1,
      mostMs: 1,
    }
    const conditions = [{ kind: 'no-quorum' as const, subject: '', from: at(50), to: at(70) }]
    expect(wordsOf({ masses: [mass], conditions })).toContain('14 elections moved within 2 s, etcd had no quorum')
  })
})
