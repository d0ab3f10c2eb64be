/**
 * The stage of every journey: a real three-member etcd, the production server on it, actors and a page.
 * Etcd and server are shared by all tests of a worker unless a test asks for its own.
 */
import { type BrowserContext, type BrowserContextOptions, test as base } from '@playwright/test'
import type { Dashboard } from '../../harness/dashboard.ts'
import { type EtcdCluster, startEtcd } from '../../harness/etcd.ts'
import { ClusterPage } from '../../pages/cluster-page.ts'
import { ElectionPage } from '../../pages/election-page.ts'
import { ElectionsPage } from '../../pages/elections-page.ts'
import { Shell } from '../../pages/shell.ts'
import { Actors } from './actors.ts'
import { type Journal, openJournal } from './journal.ts'
import { type ClusterSettings, startServer } from './server.ts'

export { expect } from '@playwright/test'

/** What the shared server watches. */
const WATCHED = ['/elections/', '/service/', 'nest']

interface Options {
  /** An etcd that no other test sees, to be broken. Its server is the test's own, too. */
  ownEtcd: boolean
  /** A server of its own: its clusters by name, all on the test's etcd. */
  clusters: Readonly<Record<string, ClusterSettings>> | null
  /** A server of its own with these settings beside the clusters. */
  settings: Readonly<Record<string, unknown>> | null
}

interface Stage {
  etcd: EtcdCluster
  dashboard: Dashboard
  actors: Actors
  journal: Journal
  /** Another browser profile on the same server, closed at the end. */
  openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
  shell: Shell
  elections: ElectionsPage
  election: ElectionPage
  cluster: ClusterPage
}

interface Shared {
  sharedEtcd: EtcdCluster
  sharedDashboard: Dashboard
}

export const test = base.extend<Options & Stage, Shared>({
  sharedEtcd: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
    async ({}, use) => {
      const etcd = await startEtcd({ members: 3 })
      await use(etcd)
      await etcd.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  sharedDashboard: [
    async ({ sharedEtcd }, use) => {
      const shared = await startServer(sharedEtcd, { test: WATCHED })
      await use(shared.dashboard)
      await shared.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  ownEtcd: [false, { option: true }],
  clusters: [null, { option: true }],
  settings: [null, { option: true }],

  etcd: async ({ ownEtcd, sharedEtcd }, use) => {
    if (!ownEtcd) return use(sharedEtcd)
    const etcd = await startEtcd({ members: 3 })
    await use(etcd)
    await etcd.stop()
  },
  dashboard: async ({ ownEtcd, clusters, settings, etcd, sharedDashboard }, use) => {
    if (!ownEtcd && clusters === null && settings === null) return use(sharedDashboard)
    const own = await startServer(etcd, clusters ?? { test: WATCHED }, settings ?? {})
    await use(own.dashboard)
    await own.stop()
  },
  baseURL: async ({ dashboard }, use) => use(dashboard.url),

  actors: async ({ etcd }, use) => {
    const actors = new Actors(etcd)
    await use(actors)
    await actors.leave()
  },
  journal: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const journal = openJournal()
      await use(journal)
      journal.expectClean()
    },
    { auto: true },
  ],
  context: async ({ context, journal }, use) => {
    journal.watch(context)
    await use(context)
  },
  openContext: async ({ browser, baseURL, journal, viewport, locale }, use) => {
    const opened: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext({ baseURL, viewport, locale, ...options })
      journal.watch(context)
      opened.push(context)
      return context
    })
    for (const context of opened) await context.close()
  },

  shell: async ({ page }, use) => use(new Shell(page)),
  elections: async ({ page }, use) => use(new ElectionsPage(page)),
  election: async ({ page }, use) => use(new ElectionPage(page)),
  cluster: async ({ page }, use) => use(new ClusterPage(page)),
})
