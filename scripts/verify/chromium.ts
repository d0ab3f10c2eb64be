import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runLogged } from '../setup/run-logged.mjs'
import { StepFailed } from '../setup/step.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome']
const remedy =
  'Remedy: type `apt-get update && apt-get install -y --no-install-recommends chromium` as root, ' +
  'or `npx playwright install --with-deps chromium`.'

function onPath(name: string): string | undefined {
  for (const dir of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const file = join(dir, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not here.
    }
  }
  return undefined
}

async function playwrightsOwn(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test')
  const file = chromium.executablePath()
  return existsSync(file) ? file : undefined
}

const systemChromium = () => names.map(onPath).find((file) => file !== undefined)

/** The system's Chromium, else Playwright's own, else Debian's is installed where that is allowed. */
export async function provideChromium(): Promise<string> {
  const found = systemChromium() ?? (await playwrightsOwn())
  if (found) return found
  if (process.getuid?.() !== 0 || !onPath('apt-get')) throw new StepFailed(`Chromium was not found.\n${remedy}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await runLogged('apt-get', ['update'], { log: 'chromium-update', env, remedy })
  await runLogged('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], {
    log: 'chromium-install',
    env,
    remedy,
  })
  const installed = systemChromium()
  if (!installed) throw new StepFailed(`Chromium was installed but is not on the PATH.\n${remedy}`)
  return installed
}
