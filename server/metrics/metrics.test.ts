import { describe, expect, it, test } from 'vitest'
import { at, heard, key, leaseOf, rev, shown } from '../../lib/election/claims-for-test.ts'
import type { Cluster } from '../../lib/election/types.ts'
import { draft, outcome, refusal } from '../history/audit-fixtures.ts'
import { CATALOGUE } from './catalogue.ts'
import { Scene } from './metrics-for-test.ts'
import { namesIn, readSeries, readValue } from './read-for-test.ts'

const JOB = { cluster: 'prod-eu', election: 'job' }
const NOW = [
  'tenure_election_led',
  'tenure_election_leader_info',
  'tenure_election_term_token',
  'tenure_election_candidates',
  'tenure_election_switch_engaged',
  'tenure_election_lease_ttl_seconds',
  'tenure_election_renewal_margin_ratio',
  'tenure_election_dual_claimants',
] as const

/** A leader whose lease was looked up often enough, that reports, and that nobody stops. */
function everything(info: Partial<Cluster> = {}): Scene {
  const scene = new Scene({}, info)
  const ref = scene.open()
  const sample = { grantedMs: 10_000, remainingMs: 6_000, asOf: at(0) }
  scene.apply({ type: 'lease', lease: leaseOf(7), sample })
  scene.history.sample({ cluster: 'prod-eu', source: 'margin', ref }, at(0), 60)
  scene.apply(heard(10, { token: 7 }))
  scene.nowMs += 100
  return scene
}

const has = async (scene: Scene, name: string) =>
  readSeries(await scene.scrape()).some((series) => series.name === name && series.labels.election === 'job')

describe('an election', () => {
  it('is told as etcd shows it', async () => {
    const body = await everything().scrape()
    expect(readValue(body, 'tenure_election_led', JOB)).toBe(1)
    expect(readValue(body, 'tenure_election_candidates', JOB)).toBe(2)
    expect(readValue(body, 'tenure_election_term_token', JOB)).toBe(7)
    expect(readValue(body, 'tenure_election_switch_engaged', JOB)).toBe(0)
    expect(readValue(body, 'tenure_election_claims', JOB)).toBe(1)
    expect(readValue(body, 'tenure_election_dual_claimants', JOB)).toBe(0)
    expect(readValue(body, 'tenure_election_lease_ttl_seconds', JOB)).toBe(10)
    expect(readValue(body, 'tenure_election_renewal_margin_ratio', JOB)).toBe(0.7)
    const info = readSeries(body).filter(({ name }) => name === 'tenure_election_leader_info')
    expect(info).toEqual([
      {
        name: 'tenure_election_leader_info',
        labels: { ...JOB, leader: 'w7', lease: leaseOf(7), epoch: '0', token: '7' },
        value: 1,
      },
    ])
  })

  it('has one leader at a time, however many there were', async () => {
    const scene = new Scene()
    scene.open('/e/job/', [7])
    for (let token = 101; token < 160; token += 1) {
      scene.apply(shown(token * 10, [token === 101 ? 7 : token - 1], [token]))
      await scene.scrape()
    }
    const series = readSeries(await scene.scrape())
    expect(series.filter(({ name }) => name === 'tenure_election_leader_info')).toHaveLength(1)
    expect(series.find(({ name }) => name === 'tenure_election_leader_info')?.labels.token).toBe('159')
  })

  it('that nobody leads has no leader and no token', async () => {
    const scene = everything()
    scene.apply(shown(50, [7, 9]))
    const body = await scene.scrape()
    expect(readValue(body, 'tenure_election_led', JOB)).toBe(0)
    expect(readValue(body, 'tenure_election_candidates', JOB)).toBe(0)
    for (const name of ['tenure_election_leader_info', 'tenure_election_term_token'] as const) {
      expect(await has(scene, name)).toBe(false)
    }
  })

  it('a token beyond 2^53 is told in the label alone', async () => {
    const scene = new Scene()
    scene.open('/e/job/', [])
    const token = '9007199254740993'
    const put = key(1, { createRevision: rev(1), modRevision: rev(1) })
    scene.apply({
      type: 'revision',
      at: at(1),
      revision: token as ReturnType<typeof rev>,
      puts: [{ ...put, createRevision: token as ReturnType<typeof rev>, modRevision: token as ReturnType<typeof rev> }],
      deletes: [],
    })
    const body = await scene.scrape()
    expect(body).toContain(`token="${token}"`)
    expect(readValue(body, 'tenure_election_term_token', JOB)).toBeUndefined()
  })

  it('a look-alike that nobody confirmed is not told', async () => {
    const scene = new Scene()
    scene.open('/e/registry/', [7], { confirmed: false })
    const body = await scene.scrape()
    expect(body).not.toContain('registry')
    expect(readValue(body, 'tenure_cluster_elections', { cluster: 'prod-eu' })).toBe(0)
  })
})

describe('what is not known is not told', () => {
  const rolledBack = { from: rev(90), to: rev(40), at: at(0) }
  const notNow: [string, Partial<Cluster>][] = [
    ['while the view is stale', { freshness: 'stale', quorum: false }],
    ['while no endpoint answers', { freshness: 'unreachable', quorum: false }],
    ['while a rollback is not acknowledged', { rolledBack }],
  ]

  test.each(NOW)('%s is told otherwise', async (name) => {
    expect(await has(everything(), name)).toBe(true)
  })

  test.each(notNow.flatMap(([when, info]) => NOW.map((name) => [name, when, info] as const)))(
    '%s %s',
    async (name, _, info) => {
      expect(await has(everything(info), name)).toBe(false)
    },
  )

  it('the cluster itself is told honestly meanwhile', async () => {
    const scene = everything({ freshness: 'stale', quorum: false, asOf: at(-7_000) })
    scene.lagMs = 7_100
    const body = await scene.scrape()
    const labels = { cluster: 'prod-eu' }
    expect(readValue(body, 'tenure_cluster_quorum', labels)).toBe(0)
    expect(readValue(body, 'tenure_cluster_live', labels)).toBe(0)
    expect(readValue(body, 'tenure_cluster_watch_lag_seconds', labels)).toBe(7.1)
    expect(readValue(body, 'tenure_cluster_etcd_alarms', { ...labels, alarm: 'NOSPACE' })).toBeUndefined()
    expect(await has(scene, 'tenure_election_terms_total')).toBe(true)
    expect(await has(scene, 'tenure_election_claims')).toBe(true)
  })

  it('before the first answer nothing is said of quorum and lag', async () => {
    const scene = new Scene({}, { freshness: 'unreachable', quorum: false, asOf: null })
    scene.lagMs = Number.POSITIVE_INFINITY
    const first = await scene.scrape()
    expect(readValue(first, 'tenure_cluster_quorum')).toBeUndefined()
    scene.nowMs += 6_000
    const later = await scene.scrape()
    expect(readValue(later, 'tenure_cluster_quorum')).toBe(0)
    expect(readValue(later, 'tenure_cluster_watch_lag_seconds')).toBeUndefined()
  })

  test.each<[string, string, (scene: Scene) => void]>([
    ['switch_engaged', 'before the switches are read', (scene) => scene.cluster({ switches: undefined as never })],
    ['switch_engaged', 'while they cannot be read', (scene) => scene.cluster({ switchesError: 'denied' })],
    ['claims', 'where nobody reports', (scene) => scene.apply({ type: 'claims', gone: ['a'] })],
    ['dual_claimants', 'where nobody reports', (scene) => scene.apply({ type: 'claims', gone: ['a'] })],
    ['renewal_margin_ratio', 'a minute after the last sample', (scene) => scene.later(60_001)],
    [
      'renewal_margin_ratio',
      'of a lease under 5 s',
      (scene) =>
        scene.apply({
          type: 'lease',
          lease: leaseOf(7),
          sample: { grantedMs: 4_000, remainingMs: 3_000, asOf: at(50) },
        }),
    ],
    ['renewal_margin_ratio', 'of a new leader', (scene) => scene.apply(shown(50, [7]))],
    ['leader_info', 'of an election that was forgotten', (scene) => forget(scene)],
    ['terms_total', 'of an election that was forgotten', (scene) => forget(scene)],
  ])('%s: %s', async (name, _, change) => {
    const scene = everything()
    expect(await has(scene, `tenure_election_${name}`)).toBe(true)
    change(scene)
    expect(await has(scene, `tenure_election_${name}`)).toBe(false)
  })

  test.each(['last_failover_seconds', 'fencing_rejections_total'])('%s of an election that had none', async (name) => {
    const scene = new Scene()
    scene.open()
    expect(await has(scene, `tenure_election_${name}`)).toBe(false)
  })
})

function forget(scene: Scene): void {
  for (const ref of scene.view.elections.keys()) scene.view.apply({ type: 'forgotten', cluster: 'prod-eu', ref })
}

describe('kill switches', () => {
  const scopeBase64 = btoa('/e/job/')
  const standing = { scope: '/e/job/', scopeBase64, match: 'prefix', record: null } as const

  it('one that cannot be read counts as engaged', async () => {
    const scene = everything({ switches: [{ ...standing, state: 'unreadable' }] })
    expect(readValue(await scene.scrape(), 'tenure_election_switch_engaged', JOB)).toBe(1)
  })

  it('their troubles are counted by type', async () => {
    const trouble = { scope: '/e/job/', scopeBase64, at: at(0), words: 'gone', type: 'vanished' } as const
    const body = await everything({ switchTroubles: [trouble] }).scrape()
    expect(readValue(body, 'tenure_cluster_switch_troubles', { type: 'vanished' })).toBe(1)
    expect(readValue(body, 'tenure_cluster_switch_troubles', { type: 'overdue' })).toBe(0)
  })
})

describe('etcd alarms', () => {
  it('are counted by members', async () => {
    const scene = everything()
    scene.alarms = [{ type: 'NOSPACE' }, { type: 'NOSPACE' }]
    const body = await scene.scrape()
    expect(readValue(body, 'tenure_cluster_etcd_alarms', { alarm: 'NOSPACE' })).toBe(2)
    expect(readValue(body, 'tenure_cluster_etcd_alarms', { alarm: 'CORRUPT' })).toBe(0)
    scene.alarms = null
    expect(readValue(await scene.scrape(), 'tenure_cluster_etcd_alarms', { alarm: 'CORRUPT' })).toBeUndefined()
  })
})

describe('actions', () => {
  it('count when they ended, and when they were refused', async () => {
    const scene = new Scene()
    for (const entry of [draft(), outcome('verified'), refusal(), refusal(), draft({ kind: 'note' })]) {
      scene.metrics.countAction(entry)
    }
    scene.metrics.countAction(draft({ kind: 'done', verb: 'signIn' }))
    const body = await scene.scrape()
    const of = (action: string, result: string) => readValue(body, 'tenure_actions_total', { action, outcome: result })
    expect(of('handoff', 'verified')).toBe(1)
    expect(of('handoff', 'refused')).toBe(2)
    expect(of('signIn', 'done')).toBe(1)
    expect(readSeries(body).filter(({ name }) => name === 'tenure_actions_total')).toHaveLength(3)
  })
})

describe('alerts', () => {
  it('are counted by rule, severity and stage; none is no series', async () => {
    const scene = new Scene()
    expect(await scene.scrape()).not.toMatch(/^tenure_alerts\{/m)
    const firing = { rule: 'leaderless', severity: 'critical', stage: 'firing' } as const
    scene.metrics.ask({ alerts: () => [firing, firing, { ...firing, stage: 'pending' }], certificates: () => [] })
    const body = await scene.scrape()
    expect(readValue(body, 'tenure_alerts', { rule: 'leaderless', stage: 'firing' })).toBe(2)
    expect(readValue(body, 'tenure_alerts', { rule: 'leaderless', stage: 'pending' })).toBe(1)
  })
})

describe('certificates', () => {
  it('are told with when they end', async () => {
    const scene = new Scene()
    const ends = { what: 'client certificate', expiresAt: '2027-01-02T03:04:05.000Z' }
    scene.metrics.ask({ alerts: () => [], certificates: (cluster) => (cluster === 'prod-eu' ? [ends] : []) })
    const value = readValue(await scene.scrape(), 'tenure_cluster_certificate_expiry_timestamp_seconds', {
      cluster: 'prod-eu',
      certificate: 'client certificate',
    })
    expect(value).toBe(Date.UTC(2027, 0, 2, 3, 4, 5) / 1_000)
  })
})

describe('renewal round trips', () => {
  it('are a histogram of seconds, by cluster and source alone', async () => {
    const scene = new Scene()
    const ref = scene.open()
    scene.history.sample({ cluster: 'prod-eu', source: 'probe', member: 'm1' }, at(1), 4)
    scene.history.sample({ cluster: 'prod-eu', source: 'holder', ref, identity: 'w7' }, at(1), 300)
    scene.history.sample({ cluster: 'prod-eu', source: 'missed', ref, identity: 'w7' }, at(1), 1)
    const body = await scene.scrape()
    const name = 'tenure_cluster_renewal_rtt_seconds'
    expect(readValue(body, `${name}_count`, { source: 'probe' })).toBe(1)
    expect(readValue(body, `${name}_sum`, { source: 'holder' })).toBe(0.3)
    expect(readValue(body, `${name}_bucket`, { source: 'holder', le: '0.25' })).toBe(0)
    expect(readValue(body, `${name}_bucket`, { source: 'holder', le: '0.5' })).toBe(1)
    const labels = new Set(
      readSeries(body)
        .filter((series) => series.name.startsWith(name))
        .flatMap((series) => Object.keys(series.labels)),
    )
    expect(labels).toEqual(new Set(['cluster', 'source', 'le']))
  })
})

describe('the exposition', () => {
  it('declares every metric of the catalogue, and of the process', async () => {
    const scene = new Scene({ processMetrics: true })
    const names = namesIn(await scene.scrape())
    expect(names).toEqual(expect.arrayContaining(Object.keys(CATALOGUE)))
    expect(names).toEqual(expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_heap_size_used_bytes']))
  })

  it('a scrape as text after one as OpenMetrics has the names it had before', async () => {
    const scene = everything()
    const text = await scene.scrape()
    const open = await scene.scrape('openmetrics')
    expect(open).toMatch(/# TYPE tenure_election_terms counter\n/)
    expect(open).toMatch(/\ntenure_election_terms_total\{cause="lease lost",.*\} 0\n/)
    expect(open.endsWith('# EOF\n')).toBe(true)
    expect(readSeries(open)).toEqual(readSeries(text))
    expect(await scene.scrape()).toBe(text)
  })

  it('is put together once for all who ask meanwhile, in each format', async () => {
    const scene = everything()
    const [one, other, open, again] = [
      scene.metrics.render('text'),
      scene.metrics.render('text'),
      scene.metrics.render('openmetrics'),
      scene.metrics.render('openmetrics'),
    ]
    expect(other).toBe(one)
    expect(again).toBe(open)
    expect((await one).contentType).toMatch(/^text\/plain; version=0\.0\.4/)
    expect((await open).contentType).toMatch(/^application\/openmetrics-text; version=1\.0\.0/)
    expect((await one).body).not.toContain('# EOF')
    expect((await open).body).toContain('# EOF')
    expect(scene.metrics.render('text')).not.toBe(one)
  })

  it('a scrape that fails does not fail the next one', async () => {
    const scene = everything()
    let broken = true
    const state = () => {
      if (broken) throw new Error('broken')
      return { ok: true }
    }
    const other = new Scene({ history: { state } })
    await expect(other.scrape()).rejects.toThrow('broken')
    broken = false
    expect(await other.scrape()).toContain('tenure_history_written 1')
    expect(await scene.scrape()).toContain('tenure_build_info{version="1.2.3"')
  })
})
