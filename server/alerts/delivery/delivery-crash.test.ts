import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type HttpSink, startHttpSink } from '../../../e2e/harness/http-sink.ts'
import { type OwnedProcess, spawnOwned } from '../../../e2e/harness/owned-process.ts'
import { makeTempFolder, type TempFolder } from '../../../e2e/harness/temp-folder.ts'

const ROUNDS = 8
const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/** Keeps alerts with a message for each of two channels, and prints how many it has kept; `--drain` only delivers. */
const PROGRAM = `
  const [, folder, sink, first, mode] = process.argv
  const { SqliteAlerts } = await import(${at('../../history/sqlite-alerts.ts')})
  const { Dispatcher } = await import(${at('./dispatcher.ts')})
  const { openChannels } = await import(${at('../channels/open-channels.ts')})
  const { channelsSchema } = await import(${at('../../config/alert-channels.ts')})
  const { alertOf, messageOf } = await import(${at('../channels/message-for-test.ts')})
  const { systemClock } = await import(${at('../../../lib/shared/clock.ts')})
  const channels = openChannels(channelsSchema.parse([
    { name: 'hook', type: 'webhook', url: sink + '/hook', secretFile: 'secret' },
    { name: 'pager', type: 'pagerduty', url: sink + '/pager', routingKeyFile: 'secret' },
  ]), { folder, clock: systemClock })
  const store = new SqliteAlerts(folder + '/alerts.sqlite')
  store.load('1970-01-01T00:00:00.000Z')
  const log = { info: () => {}, warn: () => {}, error: console.error }
  new Dispatcher({ channels, outbox: store, standing: () => [], clock: systemClock, log }).start()
  let n = Number(first)
  setInterval(() => {
    if (mode === '--drain') return
    n += 1
    const at = new Date().toISOString()
    const alert = { ...alertOf({ id: 'a' + n, key: 'k' + n, firedAt: at }), told: true, toldOver: false, reminded: 0 }
    const message = messageOf({ id: 'm' + n, at, alert: alertOf({ id: alert.id, key: alert.key }) })
    store.save({ alerts: [alert], messages: channels.map(({ name }) => ({ channel: name, message })) })
    if (store.problem === null) console.log(n)
  }, 5)`

interface Told {
  id?: string
  dedup_key?: string
}

let folder: TempFolder
let sink: HttpSink
const children: OwnedProcess[] = []
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill()
  await sink.stop()
  folder.remove()
})

test('killed at any moment between delivery and writing it down, it loses nothing and repeats one thing a kill at most', async () => {
  folder = makeTempFolder('delivery')
  writeFileSync(join(folder.path, 'secret'), 'secret-for-tests')
  sink = await startHttpSink()
  // Most kills come while an answer is on its way.
  sink.answer({ status: 202, afterMs: 3 })
  /** What a process has said to be kept. */
  const kept = new Set<number>()
  const start = (first: number, mode: string): OwnedProcess => {
    const args = ['--input-type=module', '-e', PROGRAM, folder.path, sink.url, String(first), mode]
    const child = spawnOwned(process.execPath, args, { onLine: (line) => void kept.add(Number(line)) })
    children.push(child)
    return child
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = kept.size
    const child = start(round * 10_000, '--add')
    await expect.poll(() => kept.size > before, { timeout: 20_000 }).toBe(true)
    await pause(Math.random() * 150)
    await child.kill()
  }
  // What was said just before the end may still be on its way to us.
  await pause(100)
  start(0, '--drain')
  const told = (path: string) =>
    sink.requests.filter((request) => request.path === path).map(({ body }) => JSON.parse(body) as Told)
  const got = () => [
    told('/hook').map(({ id = '' }) => Number(id.slice(1))),
    told('/pager').map((event) => Number(event.dedup_key?.slice(1))),
  ]
  const missing = () => got().map((ids) => [...kept].filter((id) => !ids.includes(id)))
  await expect.poll(missing, { timeout: 20_000 }).toEqual([[], []])
  await pause(500)
  for (const ids of got()) {
    // With each kill a channel may have one under way.
    expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(ROUNDS)
    // In order, too.
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
  }
}, 60_000)
