/** Key press in the search field of a long list → the filtered list painted. */
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, type Row } from '../support/row.ts'
import type { Browser, Tab } from './chromium.ts'
import type { FleetElection } from './fleet.ts'
import { note, percentile, round } from './numbers.ts'
import { type PaintProbe, paintProbe } from './paint-probe.ts'

/** Each is typed and taken back: the first digits leave thousands of rows, the last ones a few. */
const QUERIES = ['4213', '907', '1188']
const BETWEEN_KEYS_MS = 200
const PAINTED_WITHIN_MS = 3_000
const FIELD = 'main input[inputmode=search], main input[type=search]'

const grouped = (count: number) => count.toLocaleString('en-US')

/** As the foot of the list counts them. */
function countText(fleet: readonly FleetElection[], under: string, query: string): string {
  const shown = fleet.filter(({ name, candidates }) =>
    [`${under}${name}/`, ...candidates.map(({ identity }) => identity)].some((text) => text.includes(query)),
  )
  return shown.length === fleet.length ? grouped(fleet.length) : `${grouped(shown.length)} of ${grouped(fleet.length)}`
}

async function press(tab: Tab, key: string): Promise<void> {
  const code = key === 'Backspace' ? key : `Digit${key}`
  const windowsVirtualKeyCode = key === 'Backspace' ? 8 : key.charCodeAt(0)
  const event = { key, code, windowsVirtualKeyCode, ...(key === 'Backspace' ? {} : { text: key }) }
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
  await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, windowsVirtualKeyCode })
}

/** Nobody types so fast that a slow answer is never shown; an answer that does not come is judged later. */
async function painted(tab: Tab): Promise<void> {
  for (let attempt = 0; attempt < PAINTED_WITHIN_MS / 20; attempt += 1) {
    if (await tab.evaluate<boolean>('tenureBench.keys.at(-1)?.paintedMs > 0')) return
    await pause(20)
  }
}

function keyStrokes(): { key: string; query: string }[] {
  return QUERIES.flatMap((query) => {
    const typed = [...query].map((key, at) => ({ key, query: query.slice(0, at + 1) }))
    return [...typed, ...typed.map((_, at) => ({ key: 'Backspace', query: query.slice(0, -1 - at) }))]
  })
}

export interface SearchScene {
  browser: Browser
  url: string
  fleet: readonly FleetElection[]
  under: string
}

export async function searchRow({ browser, url, fleet, under }: SearchScene): Promise<Row> {
  const tab = await browser.open(url, { script: paintProbe('never to be seen') })
  await tab.until(`document.body.innerText.includes('${grouped(fleet.length)} elections')`, 'the whole list')
  await pause(2_000)
  await tab.evaluate(`document.querySelector('${FIELD}').focus()`)
  for (const { key, query } of keyStrokes()) {
    await tab.evaluate(`tenureBench.expect(${JSON.stringify(countText(fleet, under, query))})`)
    await press(tab, key)
    await painted(tab)
    await pause(BETWEEN_KEYS_MS)
  }
  const keys = await tab.evaluate<PaintProbe['keys']>('tenureBench.keys')
  await tab.close()
  const tookMs = keys.map(({ sentMs, paintedMs }) =>
    paintedMs === null ? Number.POSITIVE_INFINITY : paintedMs - sentMs,
  )
  note(`key press → painted: ${tookMs.map(round).join(', ')} ms`)
  const complete = tookMs.length === keyStrokes().length && tookMs.every(Number.isFinite)
  return {
    name: 'search in 10,000 elections: key press → painted, p95',
    value: complete ? percentile(tookMs, 0.95) : Number.NaN,
    unit: 'ms',
    reach: atMost(100),
  }
}
