/** Chromium over its own protocol: Playwright keeps every page visible, and here hidden tabs have to be hidden. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { spawnOwned } from '../../../e2e/harness/owned-process.ts'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { provideChromium } from '../../verify/chromium.ts'
import { openConnection, type Send } from './devtools.ts'

const START_WITHIN_MS = 20_000
const LOAD_WITHIN_MS = 30_000

export interface Tab {
  send: Send
  /** The value of an expression in the page; promises are awaited. */
  evaluate<T>(expression: string): Promise<T>
  /** Resolves once the expression is true. */
  until(expression: string, what: string): Promise<void>
  bringToFront(): Promise<void>
  close(): Promise<void>
}

export interface OpenOptions {
  /** Runs before any script of the page. */
  script?: string
  /** Without it, a tab in front of the others. */
  ownWindow?: boolean
}

export interface Browser {
  send: Send
  open(url: string, options?: OpenOptions): Promise<Tab>
  attach(targetId: string): Promise<Tab>
  stop(): Promise<void>
}

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--no-first-run',
  '--disable-extensions',
  '--disable-background-networking',
  '--remote-debugging-port=0',
  '--window-size=1440,900',
]

async function addressIn(logFile: string, isRunning: () => boolean): Promise<string> {
  const giveUpAt = performance.now() + START_WITHIN_MS
  while (performance.now() < giveUpAt && isRunning()) {
    const address = /ws:\/\/\S+/.exec(readFileSync(logFile, 'utf8'))?.[0]
    if (address !== undefined) return address
    await pause(50)
  }
  throw new Error(`Chromium did not start:\n${readFileSync(logFile, 'utf8').slice(-1_000)}`)
}

/** One window with as many tabs as are opened; only the one in front is visible, as on a desk. */
export async function startBrowser(): Promise<Browser> {
  const folder = makeTempFolder('chromium')
  const logFile = join(folder.path, 'chromium.log')
  const args = [...flags, `--user-data-dir=${join(folder.path, 'profile')}`, 'about:blank']
  const owned = spawnOwned(await provideChromium(), args, { logFile })
  const stop = async () => {
    await owned.kill()
    folder.remove()
  }
  try {
    const connection = await openConnection(await addressIn(logFile, owned.isRunning))
    const { send } = connection
    const attach = (targetId: string) => attachTo(connection.session, send, targetId)
    const open = async (url: string, { script = '', ownWindow = false }: OpenOptions = {}) => {
      const target = { url: 'about:blank', ...(ownWindow ? { newWindow: true } : {}) }
      const { targetId } = await send<{ targetId: string }>('Target.createTarget', target)
      const tab = await attach(targetId)
      await tab.send('Page.enable')
      if (script !== '') await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: script })
      await tab.send('Page.navigate', { url })
      const arrived = url === 'about:blank' ? 'true' : 'location.href !== "about:blank"'
      await tab.until(`document.readyState === "complete" && ${arrived}`, `${url} to load`)
      return tab
    }
    return { send, open, attach, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function attachTo(session: (id: string) => Send, browser: Send, targetId: string): Promise<Tab> {
  const { sessionId } = await browser<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true })
  const send = session(sessionId)
  const evaluate = async <T>(expression: string): Promise<T> => {
    const answer = await send<{ result: { value: T }; exceptionDetails?: { exception?: { description?: string } } }>(
      'Runtime.evaluate',
      { expression, returnByValue: true, awaitPromise: true },
    )
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.exception?.description ?? expression)
    return answer.result.value
  }
  const until = async (expression: string, what: string) => {
    const giveUpAt = performance.now() + LOAD_WITHIN_MS
    while (!(await evaluate<boolean>(`Boolean(${expression})`))) {
      if (performance.now() > giveUpAt) throw new Error(`waited ${LOAD_WITHIN_MS} ms for ${what}`)
      await pause(100)
    }
  }
  return {
    send,
    evaluate,
    until,
    bringToFront: async () => void (await send('Page.bringToFront')),
    close: async () => void (await browser('Target.closeTarget', { targetId })),
  }
}
