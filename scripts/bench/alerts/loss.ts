/** From the watch event of a leader's loss to the webhook's receipt, against etcd's own word reaching a bare watch. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import pino from 'pino'
import { startEtcd } from '../../../e2e/harness/etcd.ts'
import { connect, enterCandidate, revokeLease } from '../../../e2e/harness/raw-etcd.ts'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { configSchema } from '../../../server/config/schema.ts'
import { startRuntime } from '../../../server/runtime.ts'
import { atMost, noReach, type Row } from '../support/row.ts'

const LOSSES = 100
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const p99 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN
const p50 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

async function sink() {
  const receivedMs = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { kind, alert } = JSON.parse(Buffer.concat(chunks).toString())
    if (kind === 'firing' && !receivedMs.has(alert.subject)) receivedMs.set(alert.subject, performance.now())
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { receivedMs, url: `http://127.0.0.1:${port}/`, stop: () => server.close() }
}

export async function* measureLoss(): AsyncGenerator<Row> {
  const etcd = await startEtcd({ members: 1 })
  const folder = makeTempFolder('bench-alerts')
  const hook = await sink()
  const client = connect(etcd.endpoints)
  const secretFile = join(folder.path, 'secret')
  writeFileSync(secretFile, 'secret')
  const config = configSchema.parse({
    data: join(folder.path, 'data'),
    auth: 'loopback-open',
    clusters: [{ name: 'bench', endpoints: etcd.endpoints, watch: ['/elections/'] }],
    alerts: {
      rules: { leaderless: { forMs: 0 }, 'no-standby': { off: true }, 'mass-event': { off: true } },
      channels: [{ name: 'hook', type: 'webhook', url: hook.url, secretFile }],
    },
  })
  const runtime = await startRuntime(config, process.cwd(), pino({ level: 'silent' }))
  try {
    const watcher = runtime.watchers.get('bench')
    const seenMs = new Map<string, number>()
    watcher?.onChange((refs) => {
      for (const ref of refs ?? []) {
        const state = watcher.elections.view.elections.get(ref)
        if (state?.leaderlessSince != null && !seenMs.has(state.prefix)) seenMs.set(state.prefix, performance.now())
      }
    })
    const leaders = []
    for (let at = 0; at < LOSSES; at += 1)
      leaders.push(await enterCandidate(client, { prefix: `/elections/job-${at}`, value: 'a' }))
    while ((watcher?.elections.view.elections.size ?? 0) < LOSSES) await pause(50)
    for (const { lease } of leaders) {
      await revokeLease(client, lease)
      await pause(60)
    }
    const deadline = performance.now() + 20_000
    while (hook.receivedMs.size < LOSSES && performance.now() < deadline) await pause(50)
    const took = [...seenMs].map(([prefix, at]) => (hook.receivedMs.get(prefix.split('/')[2] ?? '') ?? Number.NaN) - at)
    yield {
      name: 'loss seen → webhook got it, p99',
      value: p99(took),
      unit: 'ms',
      reference: p50(took),
      reach: atMost(1_000),
    }
    yield { name: '… told of at all', value: took.filter(Number.isFinite).length, unit: `of ${LOSSES}`, reach: noReach }
  } finally {
    await runtime.stop()
    hook.stop()
    client.close()
    await etcd.stop()
    folder.remove()
  }
}
