import { describe, expect, it } from 'vitest'
import { at, cause, having, opened, put, step } from './fixture.ts'
import { ribbonOf } from './ribbon-geometry.ts'

const a = put('worker-a', 10)
const b = put('worker-b', 20)
const lost = { cause: 'lease lost', evidence: 'test' } as const
const resigned = { cause: 'resigned or removed', evidence: 'test' } as const
const input = { frozenAt: null, raftLeaderChanges: [] }

describe('ribbonOf', () => {
  it('draws the open term up to now and marks the time before the first look as unobserved', () => {
    const ribbon = ribbonOf({ ...input, state: opened([a, b], 0), now: at(30) })
    expect(ribbon.segments).toHaveLength(1)
    expect(ribbon.segments[0]).toMatchObject({ x: 0.5, width: 0.5 })
    expect(ribbon.gaps).toMatchObject([{ x: 0, width: 0.5 }])
    expect(ribbon.leaderless).toEqual([])
  })

  it('keeps every candidate in its own lane and joins the terms of a handover', () => {
    const state = having(opened([a, b], -60), step(200, 30, [], [a]), cause(a, resigned))
    const ribbon = ribbonOf({ ...input, state, now: at(60) })
    expect(ribbon.segments.map(({ x }) => x)).toEqual([0, 0.5])
    expect(new Set(ribbon.segments.map(({ y }) => y)).size).toBe(2)
    expect(ribbon.joins).toHaveLength(1)
    expect(ribbon.marks).toMatchObject([{ x: 0.5, type: 'resigned' }])
  })

  it('marks a lost lease as a failover and hatches the time without a leader at least 2 px wide', () => {
    const state = having(opened([a], -60), step(200, 30, [], [a]), cause(a, lost), step(300, 30.05, [b], []))
    const ribbon = ribbonOf({ ...input, state, now: at(60) })
    expect(ribbon.marks).toMatchObject([{ x: 0.5, type: 'failover' }])
    expect(ribbon.leaderless).toHaveLength(1)
    expect((ribbon.leaderless[0]?.width ?? 0) * 196).toBeGreaterThanOrEqual(2)
  })

  it('does not mark a change whose cause is still being established', () => {
    const state = having(opened([a, b], -60), step(200, 30, [], [a]))
    expect(ribbonOf({ ...input, state, now: at(60) }).marks).toEqual([])
  })

  it('hatches up to now while nobody leads', () => {
    const state = having(opened([a], -60), step(200, 45, [], [a]), cause(a, lost))
    const [open] = ribbonOf({ ...input, state, now: at(60) }).leaderless
    expect(open).toMatchObject({ x: 0.75, width: 0.25 })
  })

  it('shows the time under a kill switch as stopped, not as leaderless (RC-19)', () => {
    const stopped = { cause: 'kill switch', by: 'ann', evidence: 'test' } as const
    const state = having(opened([a], -60), step(200, 30, [], [a]), cause(a, stopped))
    const stop = { scope: '', scopeBase64: '', match: 'prefix', nonce: 'n', by: 'ann', reason: 'x' } as const
    const held = { ...stop, from: at(30), to: null, ended: null, endedBy: null }
    const ribbon = ribbonOf({ ...input, state, now: at(60), stops: [held] })
    expect(ribbon.stopped).toMatchObject([{ x: 0.5, width: 0.5 }])
    expect(ribbon.leaderless).toEqual([])
    expect(ribbon.marks).toMatchObject([{ type: 'kill' }])
    const elsewhere = { ...held, scope: '/other/', scopeBase64: btoa('/other/') }
    expect(ribbonOf({ ...input, state, now: at(60), stops: [elsewhere] }).stopped).toEqual([])
  })

  it('ends everything where the view froze and shows the rest as unobserved', () => {
    const ribbon = ribbonOf({ ...input, state: opened([a, b], -60), now: at(60), frozenAt: at(54) })
    const [segment] = ribbon.segments
    expect((segment?.x ?? 0) + (segment?.width ?? 0)).toBeCloseTo(0.9)
    expect(ribbon.gaps[0]?.x).toBeCloseTo(0.9)
    expect(ribbon.gaps[0]?.width).toBeCloseTo(0.1)
  })

  it('shows one mark where several would cover each other, and never hides a failover behind a handoff', () => {
    const c = put('worker-c', 30)
    const handoff = having(opened([a, b, c], -60), step(200, 30, [], [a]), cause(a, resigned))
    const both = having(handoff, step(300, 30.2, [], [b]), cause(b, lost))
    const ribbon = ribbonOf({ ...input, state: both, now: at(60) })
    expect(ribbon.marks.map(({ type }) => type)).toEqual(['failover'])
  })

  it('never calls a free mutex leaderless', () => {
    const free = put('', 10)
    const state = having(opened([free], -60), step(200, 30, [], [free]))
    expect(ribbonOf({ ...input, state, now: at(60) }).leaderless).toEqual([])
  })

  it('places etcd raft leader changes of the window only', () => {
    const raftLeaderChanges = [at(-10), at(15)]
    const ribbon = ribbonOf({ ...input, state: opened([a], -60), now: at(60), raftLeaderChanges })
    expect(ribbon.raftChanges).toEqual([0.25])
  })

  it('keeps everything inside the window and the height for a busy election', () => {
    let state = opened([a, b], -60)
    for (let turn = 0; turn < 300; turn += 1) {
      const old = state.candidates[0]
      if (old === undefined) throw new Error('nobody there')
      const next = put(`worker-${turn % 9}`, 1000 + turn)
      state = having(state, step(1000 + turn, turn * 0.19, [next], [{ ...next, keyBase64: old.keyBase64 }]))
    }
    const ribbon = ribbonOf({ ...input, state, now: at(60) })
    for (const { x, width, y } of ribbon.segments) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(1.02)
      expect(y).toBeGreaterThanOrEqual(7)
      expect(y + ribbon.laneHeight).toBeLessThanOrEqual(34)
    }
    expect(ribbon.untold).toHaveLength(1)
  })
})
