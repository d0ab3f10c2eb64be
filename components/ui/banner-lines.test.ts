import { describe, expect, it } from 'vitest'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { at, CLUSTER } from '../election/fixture.ts'
import { bannerLines } from './banner-lines.ts'

const live = { state: 'live' } as const
const text = (...args: Parameters<typeof bannerLines>) =>
  bannerLines(...args).map((line) => `${line.strong} ${line.text}`)

describe('the lines above a page', () => {
  it('are none when all is well, and for a clock that is a little off', () => {
    expect(bannerLines(live, [CLUSTER], 29_000)).toEqual([])
  })

  it('say how far the browser’s clock is off, and whose times are shown', () => {
    expect(text(live, [CLUSTER], 7 * 60_000)).toEqual([
      'Your clock is 7 m ahead of the server’s. Times here are the server’s.',
    ])
    expect(text(live, [CLUSTER], -31_000)[0]).toContain('31 s behind the server’s')
  })

  it('say what no quorum means, but not of a cluster that cannot be reached', () => {
    expect(text(live, [{ ...CLUSTER, quorum: false }], 0)).toEqual([
      'prod-eu: etcd has no quorum: renewals fail, and no handoff or stop can be written.',
    ])
    const away = { ...CLUSTER, quorum: false, freshness: 'unreachable', reason: 'refused' } as const
    expect(text(live, [away], 0)).toEqual(['prod-eu cannot be reached: refused'])
  })

  it('say when history is not written and when the page is older than its server', () => {
    const full = { ...CLUSTER, historyError: 'the disk is full' }
    expect(text({ state: 'outdated', since: at(0) }, [full], 0)).toEqual([
      'Tenure was updated. Reload this page to use the new version.',
      'History of prod-eu is not being written: the disk is full',
    ])
  })

  it('are loud about a kill switch that vanished or is overdue, and tell one that cannot be read once', () => {
    const trouble = { scope: '/e/', scopeBase64: btoa('/e/'), at: at(0), words: 'It was engaged by ann.' }
    const vanished = { ...CLUSTER, switchTroubles: [{ ...trouble, type: 'vanished' as const }] }
    expect(text(live, [vanished], 0)).toEqual(['A kill switch vanished in prod-eu: It was engaged by ann.'])
    expect(bannerLines(live, [vanished], 0)[0]?.tone).toBe('crit')
    const overdue = { ...CLUSTER, switchTroubles: [{ ...trouble, type: 'overdue' as const }] }
    expect(text(live, [overdue], 0)[0]).toContain('overdue')
    const unreadable = { ...CLUSTER, switchTroubles: [{ ...trouble, type: 'unreadable' as const }] }
    expect(text(live, [unreadable], 0)).toEqual([])
  })

  it('tell what limits a view that is live', () => {
    expect(bannerLines(live, [{ ...CLUSTER, reason: 'may not look up leases' }], 0)[0]).toMatchObject({ tone: 'plain' })
  })

  it('say what a kill switch holds, and that of an unreadable one', () => {
    const record = {
      reason: 'bad data',
      by: 'ann',
      at: at(0),
      until: at(60),
      nonce: 'n',
      mode: 'cooperative' as const,
      log: [],
    }
    const shown = { scope: '/jobs/', scopeBase64: btoa('/jobs/'), match: 'prefix' as const }
    const lines = (...switches: StandingSwitch[]) => text(live, [{ ...CLUSTER, switches }], 0)
    expect(lines({ ...shown, state: 'engaged', record })[0]).toMatch(
      /^Kill switch on \/jobs\/ and below: engaged by ann at [\d:]+ UTC: bad data \(meant to be released by [\d:]+ UTC\)\.$/,
    )
    expect(lines({ ...shown, state: 'released', record })).toEqual([])
    expect(lines({ ...shown, state: 'unreadable', record: null })[0]).toContain('cannot be read')
    expect(text(live, [{ ...CLUSTER, switchesError: 'permission denied' }], 0)).toEqual([
      'Kill switches of prod-eu cannot be read: permission denied. What is stopped on purpose is not known.',
    ])
  })

  it('say what Tenure may not do in etcd', () => {
    const missingRights = [
      'may not write /tenure/switch/: no kill switch can be engaged from here',
      'may not write /e/: x',
    ]
    expect(text(live, [{ ...CLUSTER, missingRights }], 0)).toEqual([
      'prod-eu: Tenure’s account in etcd may not write /tenure/switch/: no kill switch can be engaged from here; may not write /e/: x.',
    ])
  })
})
