import { describe, expect, test } from 'vitest'
import { FakeHistory } from '../history/fake-history.ts'
import type { Runtime } from '../runtime-slot.ts'
import { healthOf } from './health.ts'

function running(ages: Record<string, number>, failure: string | null = null): Runtime {
  const history = new FakeHistory()
  history.failure = failure
  const watchers = Object.entries(ages).map(([name, ageMs]) => {
    const info = ageMs <= 3_000 ? { freshness: 'live' } : { freshness: 'stale', reason: 'etcd has no quorum' }
    return [name, { heartbeatAgeMs: () => ageMs, elections: { view: { info } } }] as const
  })
  return { history, watchers: new Map(watchers) } as unknown as Runtime
}

describe('health', () => {
  test('is well while every cluster answered within five seconds', () => {
    expect(healthOf(running({ eu: 800.4, us: 5_000 }))).toEqual({
      ok: true,
      clusters: [
        { name: 'eu', ok: true, freshness: 'live', heartbeatAgeMs: 800 },
        { name: 'us', ok: true, freshness: 'stale', heartbeatAgeMs: 5_000, reason: 'etcd has no quorum' },
      ],
      history: { ok: true },
    })
  })

  test('is not when one did not, and says which and why', () => {
    const health = healthOf(running({ eu: 800, us: 5_001 }))
    expect(health.ok).toBe(false)
    expect(health.clusters).toMatchObject([
      { name: 'eu', ok: true },
      { name: 'us', ok: false, reason: /quorum/ },
    ])
  })

  test('is not before the first answer, whose age is then null', () => {
    expect(healthOf(running({ eu: Number.POSITIVE_INFINITY }))).toMatchObject({
      ok: false,
      clusters: [{ ok: false, heartbeatAgeMs: null }],
    })
  })

  test('names a history that is not written, which harms no watching', () => {
    const health = healthOf(running({ eu: 1 }, 'the disk is full'))
    expect(health).toMatchObject({ ok: true, history: { ok: false, error: 'the disk is full' } })
  })
})
