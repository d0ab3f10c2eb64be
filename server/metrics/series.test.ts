/** Which elections have series, and what they are called. */
import { describe, expect, it } from 'vitest'
import { at, CLUSTER, rev, shown } from '../../lib/election/claims-for-test.ts'
import { refOf } from '../../lib/election/ids.ts'
import { Scene } from './metrics-for-test.ts'
import { readSeries, readValue } from './read-for-test.ts'

const named = (body: string, metric = 'tenure_election_led') =>
  readSeries(body)
    .filter(({ name }) => name === metric)
    .map(({ labels }) => labels.election)

function assertDistinct(body: string): void {
  const all = readSeries(body).map(({ name, labels }) => `${name} ${JSON.stringify(Object.entries(labels).sort())}`)
  expect(new Set(all).size).toBe(all.length)
}

describe('names', () => {
  it.each([
    ['a line break', '/e/a\nb/', 'a\\x0ab'],
    ['quotes', '/e/a"b"/', 'a"b"'],
    ['a backslash', '/e/a\\b/', 'a\\\\b'],
    ['a byte that is no text', '/e/a\xff/', 'a\\xff'],
    ['what ends a label', '/e/a"} 1\\/', 'a"} 1\\\\'],
  ])('with %s read back as the pages show them', async (_, prefix, shownAs) => {
    const scene = new Scene()
    scene.open(prefix)
    expect(named(await scene.scrape())).toEqual([shownAs])
    expect(named(await scene.scrape('openmetrics'))).toEqual([shownAs])
  })

  it('of 10 kB are cut, and stay apart', async () => {
    const scene = new Scene()
    const long = 'x'.repeat(10_000)
    scene.open(`/e/${long}1/`)
    scene.open(`/e/${long}2/`)
    const names = named(await scene.scrape())
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name?.length).toBeLessThanOrEqual(200)
  })

  it('two elections of one short name are told apart by their prefixes', async () => {
    const scene = new Scene({}, { watched: ['/e/', '/f/'].map((prefix) => ({ prefix, prefixBase64: btoa(prefix) })) })
    scene.open('/e/job/')
    scene.open('/f/job/')
    const body = await scene.scrape()
    expect(named(body).sort()).toEqual(['/e/job/', '/f/job/'])
    assertDistinct(body)
  })

  it('no two elections ever have the same series', async () => {
    const scene = new Scene()
    scene.open('/e/job/')
    scene.open('/e/job//')
    scene.open('/e/(others)/')
    const body = await scene.scrape()
    expect(new Set(named(body)).size).toBe(3)
    expect(named(body)).not.toContain('(others)')
    assertDistinct(body)
  })

  it('a queue and a single key of one name are told apart, each by a mark of its own', async () => {
    const scene = new Scene()
    scene.open('/e/job/')
    scene.open('/e/job/', [8], { layout: 'single-key' })
    const names = named(await scene.scrape())
    expect(names).toEqual([expect.stringMatching(/^\/e\/job\/ \([0-9a-f]{8}\)$/), expect.stringMatching(/\)$/)])
    expect(new Set(names).size).toBe(2)
  })

  it('one that was chosen to look like the mark of another is told apart, too', async () => {
    const scene = new Scene({}, { watched: [{ prefix: '', prefixBase64: '' }] })
    scene.open('job/')
    scene.open('job/', [8], { layout: 'single-key' })
    for (const marked of named(await scene.scrape())) scene.open(marked, [9], { layout: 'single-key' })
    const body = await scene.scrape()
    expect(new Set(named(body)).size).toBe(4)
    assertDistinct(body)
  })

  it('of leaders are as candidates wrote them, escaped', async () => {
    const scene = new Scene()
    scene.open('/e/job/', [])
    const ref = refOf('queue', '/e/job/')
    const put = { ...keyOf(11), identity: 'a"\\\\b' }
    scene.apply({ type: 'revision', at: at(1), revision: rev(300), puts: [put], deletes: [] }, ref)
    const info = readSeries(await scene.scrape()).find(({ name }) => name === 'tenure_election_leader_info')
    expect(info?.labels.leader).toBe('a"\\\\b')
  })
})

const keyOf = (token: number) => ({
  key: `/e/job/${token}`,
  keyBase64: btoa(`/e/job/${token}`),
  valueBytes: 3,
  lease: null,
  createRevision: rev(300),
  modRevision: rev(300),
  nested: false,
})

describe('more elections than there may be series for', () => {
  const five = () => {
    const scene = new Scene({ maxElections: 3 })
    for (const name of ['e', 'd', 'c', 'b', 'a']) scene.open(`/e/${name}/`)
    return scene
  }

  it('the first by ref have their own, and the others are summed', async () => {
    const body = await five().scrape()
    expect(named(body).sort()).toEqual(['a', 'b', 'c'])
    expect(readValue(body, 'tenure_metrics_elections_dropped', { cluster: 'prod-eu' })).toBe(2)
    expect(readValue(body, 'tenure_cluster_elections', { cluster: 'prod-eu' })).toBe(5)
    expect(readValue(body, 'tenure_election_candidates', { election: '(others)' })).toBe(4)
    expect(readValue(body, 'tenure_election_terms_total', { election: '(others)', cause: 'lease lost' })).toBe(0)
    assertDistinct(body)
  })

  it('who has series keeps them when others come', async () => {
    const scene = five()
    await scene.scrape()
    scene.open('/e/0/')
    expect(named(await scene.scrape()).sort()).toEqual(['a', 'b', 'c'])
  })

  it('a place that becomes free is given away, and no counter of the others goes back', async () => {
    const scene = five()
    await scene.scrape()
    const lost = { cause: 'lease lost', evidence: 'gone' } as const
    const d = refOf('queue', '/e/d/')
    scene.apply(shown(1_000, [7]), d)
    scene.apply({ type: 'cause', token: rev(7), endedBy: lost }, d)
    const ended = { cause: 'lease lost' }
    expect(readValue(await scene.scrape(), 'tenure_election_terms_total', { ...ended, election: '(others)' })).toBe(1)
    scene.view.apply({ type: 'forgotten', cluster: 'prod-eu', ref: refOf('queue', '/e/a/') })
    const body = await scene.scrape()
    expect(named(body).sort()).toEqual(['b', 'c', 'd'])
    expect(readValue(body, 'tenure_election_terms_total', { ...ended, election: 'd' })).toBe(0)
    expect(readValue(body, 'tenure_election_terms_total', { ...ended, election: '(others)' })).toBe(1)
    scene.apply(shown(2_000, [9]), d)
    scene.apply({ type: 'cause', token: rev(9), endedBy: lost }, d)
    expect(readValue(await scene.scrape(), 'tenure_election_terms_total', { ...ended, election: 'd' })).toBe(1)
  })

  it('others that are stale are not said to have candidates', async () => {
    const scene = five()
    scene.cluster({ freshness: 'stale' })
    expect(readValue(await scene.scrape(), 'tenure_election_candidates', { election: '(others)' })).toBeUndefined()
  })

  it('the limit is over all clusters, in the order of the configuration', async () => {
    const scene = new Scene({ maxElections: 1 })
    scene.open('/e/a/')
    const other = scene.add({ ...CLUSTER, name: 'staging' })
    const [state] = scene.view.elections.values()
    if (state) other.elections.set(state.ref, state)
    const body = await scene.scrape()
    expect(readValue(body, 'tenure_metrics_elections_dropped', { cluster: 'prod-eu' })).toBe(0)
    expect(readValue(body, 'tenure_metrics_elections_dropped', { cluster: 'staging' })).toBe(1)
  })
})
