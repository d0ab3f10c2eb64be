import type { BrowserContext, Page } from '@playwright/test'
import { ElectionsPage } from '../pages/elections-page.ts'
import { Shell } from '../pages/shell.ts'
import { expect, test } from './support/test.ts'

const TABS = 10
const query = '?q=tabs/'

async function openTabs(context: BrowserContext): Promise<Page[]> {
  const tabs = await Promise.all(Array.from({ length: TABS }, () => context.newPage()))
  await Promise.all(tabs.map((tab) => new ElectionsPage(tab).open(query)))
  return tabs
}

test('ten tabs of one browser over HTTP/1.1 are all live and all see a change', async ({ context, actors }) => {
  const leader = await actors.enter({ prefix: '/elections/tabs/shared', value: 'first' })
  await actors.enter({ prefix: '/elections/tabs/shared', value: 'second' })
  const tabs = await openTabs(context)
  for (const tab of tabs) await expect(new ElectionsPage(tab).cell('tabs/shared', 'leader')).toHaveText('first')
  await leader.resign()
  for (const tab of tabs) {
    await expect(new ElectionsPage(tab).cell('tabs/shared', 'leader')).toHaveText('second')
    await expect(new Shell(tab).connection).toHaveText('Live')
  }
  // A heartbeat comes every second; a tab without a stream is found out after three.
  for (const tab of tabs.slice(-1)) await new Shell(tab).waitClock(4)
  for (const tab of tabs) await expect(new Shell(tab).connection).toHaveText('Live')
})

test('where tabs cannot share a stream, each works or says why it does not @long', async ({ context, actors }) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'SharedWorker')
  })
  const leader = await actors.enter({ prefix: '/elections/tabs/own', value: 'first' })
  await actors.enter({ prefix: '/elections/tabs/own', value: 'second' })
  const tabs = await openTabs(context)
  const explains = (tab: Page) =>
    new Shell(tab).banner(/^This page has not reached Tenure yet: .* Close one of the other tabs/)
  for (const tab of tabs) {
    await expect(new ElectionsPage(tab).cell('tabs/own', 'leader').or(explains(tab))).toBeVisible()
  }
  const explained = await Promise.all(tabs.map((tab) => explains(tab).isVisible()))
  const live = tabs.filter((_, at) => !explained[at])
  const waiting = tabs.filter((_, at) => explained[at])
  expect(live).toHaveLength(5)
  await leader.resign()
  for (const tab of live) {
    await expect(new ElectionsPage(tab).cell('tabs/own', 'leader')).toHaveText('second')
    await expect(new Shell(tab).connection).toHaveText('Live')
  }

  // One goes, and one of those that waited takes its place.
  await live[0]?.close()
  const lived = async () => {
    const words = await Promise.all(waiting.map((tab) => new Shell(tab).connection.textContent()))
    return words.filter((word) => word === 'Live').length
  }
  await expect.poll(lived, { timeout: 15_000 }).toBe(1)
})
