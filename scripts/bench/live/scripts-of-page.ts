/** All JavaScript that the elections page loads, the worker's included, as gzip carries it. */
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { atMost, type Row } from '../support/row.ts'
import type { Browser } from './chromium.ts'
import { note, round } from './numbers.ts'

// Chunks that a page asks for once it is shown belong to it.
const REST_MS = 2_000
const LOADED = `performance.getEntriesByType('resource').map(({ name }) => name)`

async function loadedByWorkers(browser: Browser): Promise<string[]> {
  const { targetInfos } = await browser.send<{ targetInfos: { targetId: string; type: string; url: string }[] }>(
    'Target.getTargets',
  )
  const workers = targetInfos.filter(({ type }) => type === 'shared_worker')
  const loaded = await Promise.all(
    workers.map(async ({ targetId, url }) => [
      url,
      ...(await (await browser.attach(targetId)).evaluate<string[]>(LOADED)),
    ]),
  )
  return loaded.flat()
}

/** A modern browser loads no `nomodule` script, so none is counted. */
export async function scriptRow(browser: Browser, url: string): Promise<Row> {
  const tab = await browser.open(url)
  await tab.until('document.querySelector("a[data-row]")', 'the list')
  await pause(REST_MS)
  const urls = [...(await tab.evaluate<string[]>(LOADED)), ...(await loadedByWorkers(browser))]
  const files = new Set(urls.map((url) => url.split(/[?#]/)[0] ?? '').filter((url) => url.endsWith('.js')))
  let bytes = 0
  for (const file of files) bytes += gzipSync(Buffer.from(await (await fetch(file)).arrayBuffer())).length
  note(`${files.size} scripts, ${round(bytes / 1_000)} kB`)
  return { name: 'JavaScript of the elections page, gzip', value: bytes / 1_000, unit: 'kB', reach: atMost(250) }
}
