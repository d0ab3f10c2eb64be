import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startHttpSink } from '../../e2e/harness/http-sink.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'

const ROUNDS = 8
const at = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)

/** Keeps alerts with a message for each of two channels, and prints how many it has kept; `--drain` only delivers. */
const PROGRAM = `
  const [, folder, sink, first, mode] = process.argv
  const { SqliteAlerts } = await import(${at('../history/sqlite-alerts.ts')})
  const { Dispatcher } = await import(${at('./dispatcher.ts')})
  const { openChannels } = await import(${at('./channels/open-channels.ts')})
  const { channelsSchema } = await import(${at('../config/alert-channels.ts')})
  const { alertOf, messageOf } = await import(${at('./channels/message-for-test.ts')})
  const { systemClock } = await import(${at('../../lib/shared/clock.ts')})
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

test('killed at any moment between delivery and writing it down, it loses nothing and repeats one message a kill at most', async () => {
  const folder = makeTempFolder('delivery')
  writeFileSync(join(folder.path, 'secret'), 'secret-for-tests')
  const sink = await startHttpSink()
  let kept = 0
  const start = (mode: string): ChildProcess => {
    const args = ['--input-type=module', '-e', PROGRAM, folder.path, sink.url, String(kept), mode]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => (kept = Number(line)))
    return child
  }
  const end = async (child: ChildProcess) => {
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = kept
    const child = start('--add')
    await expect.poll(() => kept > before, { timeout: 20_000 }).toBe(true)
    await pause(Math.random() * 150)
    await end(child)
    // One that was kept, but killed before it could say so, counts too.
    kept += 1
  }
  const child = start('--drain')
  const told = (path: string) =>
    sink.requests.filter((request) => request.path === path).map(({ body }) => JSON.parse(body) as Told)
  const ids = () => ({
    hook: told('/hook').map(({ id = '' }) => Number(id.slice(1))),
    pager: told('/pager').map((event) => Number(event.dedup_key?.slice(1))),
  })
  await expect.poll(() => new Set(ids().hook).size >= kept - ROUNDS, { timeout: 20_000 }).toBe(true)
  let count = -1
  while (count !== sink.requests.length) {
    count = sink.requests.length
    await pause(500)
  }
  await end(child)
  for (const got of Object.values(ids())) {
    const times = new Map<number, number>()
    for (const id of got) times.set(id, (times.get(id) ?? 0) + 1)
    // Gaps are the numbers that were skipped above, one for each kill at most.
    const lost = Array.from({ length: kept }, (_, nth) => nth + 1).filter((id) => !times.has(id))
    expect(lost.length).toBeLessThanOrEqual(ROUNDS)
    // The one that was under way when it was killed comes again; the next kill may meet the same.
    expect(got.length - times.size).toBeLessThanOrEqual(ROUNDS)
    expect([...got].sort((a, b) => a - b)).toEqual(got)
  }
  await sink.stop()
  folder.remove()
}, 120_000)
