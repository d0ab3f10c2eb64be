/**
 * Takes the pictures of the README: `node scripts/screenshot.ts`. Starts the demo and gives it a few
 * minutes, so that there is something to see; `--url` takes them of a Tenure that runs already.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { spawnOwned } from '../e2e/harness/owned-process.ts'
import { freePort } from '../e2e/harness/ports.ts'
import { rootDir } from './setup/paths.mjs'
import { main, StepFailed, step } from './setup/step.mjs'
import { provideChromium } from './verify/chromium.ts'

const folder = join(rootDir, 'docs', 'images')
const SIZE = { width: 1440, height: 900 }
const STARTS_WITHIN_MS = 300_000

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    theme: { type: 'string', default: 'dark' },
    /** An election that changes often has the most to show. */
    election: { type: 'string', default: 'warehouse/compactor' },
    'after-seconds': { type: 'string', default: '240' },
  },
})

interface Demo {
  url: string
  stop(): Promise<void>
}

async function startDemo(): Promise<Demo> {
  let found: (url: string) => void = () => {}
  const address = new Promise<string>((resolve) => {
    found = resolve
  })
  const args = [join(rootDir, 'scripts', 'demo.mjs'), '--port', String(await freePort())]
  const demo = spawnOwned(process.execPath, args, {
    cwd: rootDir,
    onLine: (line) => {
      const url = /^Tenure: (\S+)/.exec(line)?.[1]
      if (url !== undefined) found(url)
    },
  })
  const ended = demo.exited.then((how) => {
    throw new StepFailed(`the demo ended with ${how}: start it by hand to see why`)
  })
  const late = pause(STARTS_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new StepFailed(`the demo did not start within ${STARTS_WITHIN_MS / 1000} s`)
  })
  const url = await Promise.race([address, ended, late])
  ended.catch(() => {})
  late.catch(() => {})
  return { url, stop: () => demo.stop(10_000) }
}

async function take(page: Page, name: string): Promise<string> {
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file, animations: 'disabled' })
  return `docs/images/${name}.png`
}

async function takeAll(page: Page, url: string): Promise<string> {
  await page.goto(url)
  const row = page.getByRole('link', { name: options.election, exact: true })
  await row.waitFor()
  // The ribbons fill in once the page is live.
  await pause(3_000)
  const files = [await take(page, 'elections')]
  await row.click()
  await page.waitForURL(/\/elections\//)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The demo is minutes old: in an hour's range it would be a sliver.
  await page.getByRole('radio', { name: '15 m' }).click()
  await pause(5_000)
  files.push(await take(page, 'election'))
  return files.join(', ')
}

await main(async () => {
  mkdirSync(folder, { recursive: true })
  const executablePath = await step('chromium', provideChromium)
  const demo: Demo = options.url
    ? { url: options.url, stop: async () => {} }
    : await step('demo', startDemo, ({ url }) => url)
  try {
    if (!options.url) await step('something to see', () => pause(Number(options['after-seconds']) * 1_000))
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    const colorScheme = options.theme === 'light' ? 'light' : 'dark'
    const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 2, colorScheme, locale: 'en-GB' })
    await step('pictures', () => takeAll(page, demo.url))
    await browser.close()
  } finally {
    await demo.stop()
  }
  process.exit(0)
})
