/** A real Prometheus scrapes a real Tenure that watches a real etcd. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { type PrometheusServer, promtool, startPrometheus } from '../../e2e/harness/prometheus.ts'
import { connect, deleteKey, type Etcd3, enterCandidate, keepAlive } from '../../e2e/harness/raw-etcd.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { refOf } from '../../lib/election/ids.ts'
import { prometheusMissing } from '../../scripts/setup/find-prometheus.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'
import { configSchema } from '../config/schema.ts'
import { CATALOGUE, type MetricName } from '../metrics/catalogue.ts'
import { namesIn } from '../metrics/read-for-test.ts'
import { startRuntime } from '../runtime.ts'
import type { Runtime } from '../runtime-slot.ts'
import { eventually } from '../watch/watch-for-test.ts'
import { type MetricsPort, serveMetrics } from './metrics-port.ts'
import { appRouter } from './router.ts'

const missing = prometheusMissing()
const TOKEN = 'a token of its own'.replaceAll(' ', '-')
const RULES = join(rootDir, 'deploy', 'prometheus', 'tenure.rules.yml')
/** As the file has it, only that it does not wait as long. */
const quickRules = () => readFileSync(RULES, 'utf8').replaceAll(/^( +for: )(?:15s|30s|1m)$/gm, '$11s')
const HOSTILE = Buffer.from('/p/line\nquote"back\\slash \xff/', 'latin1')
const LONG = `/p/${'x'.repeat(10_000)}/`
const WITHIN = { timeout: 20_000, interval: 200 }

const folder = makeTempFolder('metrics')
let etcd: EtcdCluster
let client: Etcd3
let running: { runtime: Runtime; port: MetricsPort }
let prometheus: PrometheusServer

async function startTenure(port = 0): Promise<typeof running> {
  const config = configSchema.parse({
    data: join(folder.path, 'data'),
    auth: 'loopback-open',
    metrics: { tokenFile: join(folder.path, 'token'), port },
    clusters: [{ name: 'eu', endpoints: etcd.endpoints, watch: ['/p/'] }],
  })
  const runtime = await startRuntime(config, rootDir, pino({ level: 'silent' }))
  const served = await serveMetrics(runtime, (error) => {
    throw error
  })
  if (served === null) throw new Error('not served')
  return { runtime, port: served }
}

async function stopTenure(): Promise<void> {
  running.port.stop()
  await running.runtime.stop()
}

/** What the pages show. */
const list = async () => {
  const { runtime } = running
  const caller = appRouter.createCaller({ runtime, actor: { kind: 'loopback', role: 'admin' }, address: '127.0.0.1' })
  return (await caller.elections.list({})).elections
}

const own = (name: string) => `{cluster="eu",election="${name}"}`

async function scrapeOnce(accept: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${running.port.port}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}`, accept },
  })
  expect(response.status).toBe(200)
  return response.text()
}

describe.skipIf(missing)(`Prometheus${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let leader: Awaited<ReturnType<typeof enterCandidate>>

  beforeAll(async () => {
    writeFileSync(join(folder.path, 'token'), TOKEN)
    etcd = await startEtcd()
    client = connect(etcd.endpoints)
    leader = await enterCandidate(client, { prefix: '/p/job', value: 'w1', ttlSeconds: 600 })
    await enterCandidate(client, { prefix: '/p/job', value: 'w2', ttlSeconds: 600 })
    await enterCandidate(client, { prefix: '/p/alone', value: 'only', ttlSeconds: 600 })
    await enterCandidate(client, { prefix: HOSTILE.subarray(0, -1), value: 'a"b\\c\nd', ttlSeconds: 600 })
    await enterCandidate(client, { prefix: LONG.slice(0, -1), value: 'long', ttlSeconds: 600 })
    running = await startTenure()
    prometheus = await startPrometheus({
      target: `127.0.0.1:${running.port.port}`,
      token: TOKEN,
      rules: [quickRules()],
    })
    await eventually(async () => (await prometheus.value(`tenure_election_led${own('job')}`)) === 1, 20_000)
  })
  afterAll(async () => {
    await prometheus?.stop()
    if (running !== undefined) await stopTenure()
    client?.close()
    await etcd?.stop()
    folder.remove()
  })

  test('scrapes it, and nothing is wrong with what it reads', async () => {
    expect(await prometheus.targets()).toMatchObject([{ health: 'up', lastError: '' }])
    expect(await prometheus.value('up')).toBe(1)
    expect(prometheus.log()).not.toMatch(/level=(warn|error)/)
  })

  test('knows every metric of the catalogue by its type', async () => {
    const response = await fetch(`${prometheus.url}/api/v1/metadata?limit=1000`)
    const { data } = (await response.json()) as { data: Record<string, { type: string }[]> }
    for (const [name, { type }] of Object.entries(CATALOGUE)) {
      // As OpenMetrics a counter is declared without its ending.
      const told = data[name] ?? data[name.replace(/_total$/, '')]
      expect([name, told?.[0]?.type]).toEqual([name, type])
    }
  })

  test('answers what the pages show', async () => {
    const shown = await list()
    expect(shown.length).toBe(4)
    for (const { ref, leader: leads, term, candidateCount } of shown) {
      const of = `* on (cluster, election) group_left () tenure_election_info{ref="${ref}"}`
      expect(await prometheus.value(`tenure_election_led ${of}`)).toBe(leads === null ? 0 : 1)
      expect(await prometheus.value(`tenure_election_candidates ${of}`)).toBe(candidateCount)
      expect(String(await prometheus.value(`tenure_election_term_token ${of}`))).toBe(term?.token)
      const [info] = await prometheus.query(`tenure_election_leader_info ${of}`)
      expect(info?.labels).toMatchObject({
        leader: leads?.identity,
        lease: leads?.lease,
        token: term?.token,
        epoch: String(term?.epoch),
      })
    }
  })

  test('reads hostile names as the pages show them', async () => {
    const ref = refOf('queue', HOSTILE.toString('latin1'))
    const [info] = await prometheus.query(`tenure_election_info{ref="${ref}"}`)
    const shown = (await list()).find((election) => election.ref === ref)
    expect(info?.labels.election).toBe(shown?.name)
    expect(shown?.name).toContain('\\x0a')
    const [long] = await prometheus.query(`tenure_election_info{election=~"x{100}.*"}`)
    expect(long?.labels.election?.length).toBeLessThanOrEqual(200)
  })

  test('promtool finds nothing wrong with the names and labels', async () => {
    const body = await scrapeOnce('text/plain')
    const checked = await promtool(['check', 'metrics'], body)
    const about = checked.output.split('\n').filter((line) => line.startsWith('tenure_'))
    expect(about).toEqual([])
    expect(
      namesIn(body)
        .filter((name) => name.startsWith('tenure_'))
        .sort(),
    ).toEqual((Object.keys(CATALOGUE) as MetricName[]).sort())
  })

  test('can answer every query of the dashboard', async () => {
    const dashboard = JSON.parse(readFileSync(join(rootDir, 'deploy', 'grafana', 'tenure.json'), 'utf8'))
    const asked: { expr: string }[] = [
      ...dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) => panel.targets ?? []),
      ...dashboard.annotations.list,
    ]
    for (const { expr } of asked) {
      const query = expr.replaceAll(/\$(cluster|election)/g, '.*').replaceAll('$__rate_interval', '1m')
      await expect(prometheus.query(query), query).resolves.toBeInstanceOf(Array)
    }
    const without = dashboard.panels.find(({ title }: { title: string }) => title === 'Without a leader')
    expect(await prometheus.value(without.targets[0].expr.replaceAll(/\$(cluster|election)/g, '.*'))).toBe(0)
  })

  test('has the margin of a leader that renews, its TTL, and the round trips of the probe', async () => {
    const { lease } = await enterCandidate(client, { prefix: '/p/renews', value: 'x', ttlSeconds: 9 })
    const renewing = keepAlive(client, lease, 3_000)
    try {
      const margin = () => prometheus.value(`tenure_election_renewal_margin_ratio${own('renews')}`)
      await expect.poll(margin, { timeout: 25_000, interval: 200 }).toBeGreaterThan(0.5)
      expect(await margin()).toBeLessThanOrEqual(1)
      expect(await prometheus.value(`tenure_election_lease_ttl_seconds${own('renews')}`)).toBe(9)
      const probes = 'tenure_cluster_renewal_rtt_seconds_count{cluster="eu",source="probe"}'
      expect(await prometheus.value(probes)).toBeGreaterThan(0)
    } finally {
      renewing.stop()
    }
  })

  test('loads the rules, and the one for a queue of one waits its ten minutes', async () => {
    expect(await prometheus.rules()).toContain('TenureLeaderless')
    await expect
      .poll(() => prometheus.alerts(), WITHIN)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            state: 'pending',
            labels: expect.objectContaining({ alertname: 'TenureNoStandby', election: 'alone' }),
          }),
        ]),
      )
  })

  test('a leader that goes is counted, and the next one is told', async () => {
    await deleteKey(client, leader.key)
    await expect
      .poll(() => prometheus.query(`tenure_election_leader_info${own('job')}`), WITHIN)
      .toMatchObject([{ labels: { leader: 'w2' } }])
    await expect.poll(() => prometheus.value(`sum(tenure_election_terms_total${own('job')})`), WITHIN).toBe(1)
    const [counted] = await prometheus.query(`tenure_election_terms_total${own('job')} == 1`)
    const shown = (await list()).find(({ name }) => name === 'job')
    expect(counted?.labels.cause).toBe(shown?.lastChange?.cause)
  })

  test('nobody leads: the alert fires, and resolves when somebody does', async () => {
    const only = await enterCandidate(client, { prefix: '/p/fires', value: 'x', ttlSeconds: 600 })
    await expect.poll(() => prometheus.value(`tenure_election_led${own('fires')}`), WITHIN).toBe(1)
    await deleteKey(client, only.key)
    const firing = async () =>
      (await prometheus.alerts()).filter(
        ({ state, labels }) =>
          state === 'firing' && labels.alertname === 'TenureLeaderless' && labels.election === 'fires',
      )
    await expect.poll(firing, WITHIN).toMatchObject([
      {
        labels: { severity: 'critical', cluster: 'eu' },
        annotations: { summary: 'fires in eu has no leader' },
      },
    ])
    expect(await prometheus.value(`tenure_election_leaderless_seconds_total${own('fires')}`)).toBeGreaterThan(0)
    await enterCandidate(client, { prefix: '/p/fires', value: 'y', ttlSeconds: 600 })
    await expect.poll(firing, WITHIN).toEqual([])
  })

  test('a restart of Tenure starts the counters anew, and Prometheus sees no more than there was', async () => {
    const { port } = running.port
    const before = await prometheus.value(`sum(tenure_election_terms_total${own('job')})`)
    expect(before).toBe(1)
    await stopTenure()
    await expect.poll(() => prometheus.value('up'), WITHIN).toBe(0)
    running = await startTenure(port)
    await expect.poll(() => prometheus.value(`tenure_election_led${own('job')}`), WITHIN).toBe(1)
    expect(await prometheus.value(`sum(tenure_election_terms_total${own('job')})`)).toBe(0)
    expect(await prometheus.value(`sum(resets(tenure_election_terms_total${own('job')}[5m]))`)).toBe(1)
    expect(await prometheus.value(`tenure_cluster_quorum{cluster="eu"}`)).toBe(1)
  })

  test('etcd is gone: nothing is said of who leads, and the quorum is 0', async () => {
    for (const member of etcd.members) await member.kill()
    await expect.poll(() => prometheus.value('tenure_cluster_quorum{cluster="eu"}'), WITHIN).toBe(0)
    await expect
      .poll(
        () => prometheus.query(`{__name__=~"tenure_election_(led|leader_info|term_token|candidates|switch_engaged)"}`),
        WITHIN,
      )
      .toEqual([])
    expect(await prometheus.value('tenure_cluster_live{cluster="eu"}')).toBe(0)
    expect(await prometheus.value('tenure_cluster_watch_lag_seconds{cluster="eu"}')).toBeGreaterThan(2)
    expect(await prometheus.value(`sum(tenure_election_terms_total${own('job')})`)).toBeDefined()
    await expect
      .poll(async () => (await prometheus.alerts()).map(({ labels }) => labels.alertname), WITHIN)
      .toContain('TenureQuorumLost')
    expect(await prometheus.value('up')).toBe(1)
  })
})

describe.skipIf(missing)(`promtool${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('finds the rules to be right', async () => {
    const { code, output } = await promtool(['check', 'rules', RULES])
    expect([code, output]).toEqual([0, expect.stringMatching(/SUCCESS: \d+ rules found/)])
  })

  test.each(['test', 'days.test'])('sees them fire as they should: tenure.rules.%s.yml', async (part) => {
    const { code, output } = await promtool(['test', 'rules', RULES.replace('.rules.', `.rules.${part}.`)])
    expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})
