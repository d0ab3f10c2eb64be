import { describe, expect, it } from 'vitest'
import type { Condition } from '../../lib/election/conditions.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { etcdConditions, leaderBoxes, markXs, mergedBoxes, wordsAt } from './condition-bands.ts'

const START = Date.parse('2026-03-12T03:00:00Z')
const at = (seconds: number) => instant(START + seconds * 1_000)
const ms = (seconds: number) => START + seconds * 1_000
const leads = (subject: string, raftTerm: string, from: number, to: number | null): Condition => ({
  kind: 'raft-leader',
  subject,
  raftTerm,
  from: at(from),
  to: to === null ? null : at(to),
})
const span = { fromMs: ms(0), toMs: ms(1_000) }
const plot = { left: 100, right: 1_100 }

describe('what etcd was like', () => {
  it('names members and what was wrong; what lasts ends at the right edge', () => {
    const { bands, leaders, changes } = etcdConditions(
      [
        leads('etcd-1', '3', 0, 99),
        leads('etcd-2', '4', 100, null),
        { kind: 'no-quorum', subject: '', from: at(200), to: at(300) },
        { kind: 'alarm', subject: 'NOSPACE etcd-1', from: at(400), to: null },
      ],
      [],
      ms(1_000),
    )
    expect(leaders.map(({ member, toMs }) => [member, toMs])).toEqual([
      ['etcd-1', ms(99)],
      ['etcd-2', ms(1_000)],
    ])
    expect(changes).toEqual([{ ms: ms(100), words: 'etcd raft leader etcd-1 → etcd-2' }])
    expect(bands.map(({ what, subject, toMs }) => [what, subject, toMs])).toEqual([
      ['no quorum', '', ms(300)],
      ['alarm', 'NOSPACE etcd-1', ms(1_000)],
    ])
  })

  it('says at the cursor what lasted then, and a change where it stands', () => {
    const alarm: Condition = { kind: 'alarm', subject: 'NOSPACE etcd-1', from: at(50), to: at(120) }
    const etcd = etcdConditions([leads('etcd-1', '3', 0, 99), alarm, leads('etcd-2', '4', 100, null)], [], ms(1_000))
    expect(wordsAt(etcd, ms(100))).toEqual(['etcd raft leader etcd-1 → etcd-2', 'alarm NOSPACE etcd-1'])
    expect(wordsAt(etcd, ms(110))).toEqual(['alarm NOSPACE etcd-1'])
    expect(wordsAt(etcd, ms(121))).toEqual([])
    const silent = ['etcd-3', 'etcd-1'].map(
      (subject): Condition => ({ kind: 'slow-probe', subject, from: at(0), to: at(9), words: 'not answered' }),
    )
    expect(wordsAt(etcdConditions(silent, [], ms(1_000)), ms(5))).toEqual(['no answer etcd-1, etcd-3'])
  })

  it('tells a change that only the live view knows yet, and no change twice', () => {
    const conditions = [leads('etcd-1', '3', 0, 99), leads('etcd-1', '4', 100, null)]
    expect(etcdConditions(conditions, [at(100), at(150)], ms(1_000)).changes).toEqual([
      { ms: msOf(at(100)), words: 'etcd raft leader etcd-1 elected again' },
      { ms: msOf(at(150)), words: 'etcd raft leader changed' },
    ])
  })
})

describe('pixels', () => {
  it('keep the shortest visible and merge what touches', () => {
    const periods = [
      { fromMs: ms(-50), toMs: ms(10) },
      { fromMs: ms(100), toMs: ms(100.1) },
      { fromMs: ms(102.5), toMs: ms(102.6) },
      { fromMs: ms(300), toMs: ms(400) },
      { fromMs: ms(1_500), toMs: ms(1_600) },
    ]
    expect(mergedBoxes(periods, span, plot)).toEqual([
      { x: 100, width: 10 },
      { x: 200, width: 4.5 },
      { x: 400, width: 100 },
    ])
  })

  it('stay few for thousands of spans in a day', () => {
    const day = { fromMs: ms(0), toMs: ms(86_400) }
    const periods = Array.from({ length: 5_000 }, (_, n) => ({ fromMs: ms(n * 17), toMs: ms(n * 17 + 5) }))
    expect(mergedBoxes(periods, day, plot).length).toBeLessThan(10)
    expect(
      markXs(
        periods.map(({ fromMs }) => fromMs),
        day,
        plot,
      ).length,
    ).toBeLessThan(340)
    const leaders = periods.map((period, n) => ({ ...period, member: `etcd-${n % 3}` }))
    expect(leaderBoxes(leaders, day, plot).length).toBeLessThan(10)
  })

  it('name a leader only where the name has room', () => {
    const leaders = [
      { fromMs: ms(0), toMs: ms(500), member: 'etcd-1' },
      { fromMs: ms(500), toMs: ms(520), member: 'etcd-2' },
      { fromMs: ms(520), toMs: ms(521), member: 'etcd-1' },
      { fromMs: ms(521), toMs: ms(522), member: 'etcd-2' },
      { fromMs: ms(522), toMs: ms(1_000), member: 'etcd-3' },
    ]
    expect(leaderBoxes(leaders, span, plot).map(({ label, several }) => [label, several])).toEqual([
      ['etcd-1', false],
      ['', false],
      ['', true],
      ['etcd-3', false],
    ])
  })
})
