import type { Page } from '@playwright/test'
import type { EtcdMember } from '../harness/etcd-member.ts'
import type { ElectionPage } from '../pages/election-page.ts'
import { ElectionsPage } from '../pages/elections-page.ts'
import { Shell } from '../pages/shell.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/ledger'

test.use({ ownEtcd: true })
test.setTimeout(90_000)

const greyed = 'grayscale(1)'

/** On both pages, and within five seconds: since when nothing is known, greyed, the countdown still. */
async function expectStale(list: Page, election: ElectionPage, why: RegExp): Promise<void> {
  const elections = new ElectionsPage(list)
  const soon = { timeout: 5_000 }
  await Promise.all([
    expect(elections.sentence).toHaveText(/^test has not answered since \d\d:\d\d:\d\d UTC\..*now is unknown/, soon),
    expect(elections.row('ledger')).toHaveCSS('filter', greyed, soon),
    expect(elections.cell('ledger', 'status')).toContainText('Unknown', soon),
    expect(new Shell(list).banner(/data as of \d\d:\d\d:\d\d UTC/)).toBeVisible(soon),
    expect(election.sentence).toContainText(/As of \d\d:\d\d:\d\d UTC \(\d+ s ago\) ledger was led by sp-1/, soon),
    expect(election.sentence).toContainText('Not live', soon),
    expect(election.header).toContainText('Unknown', soon),
    expect(election.leader).toContainText('left, frozen', soon),
    expect(election.leader).toContainText('not counting: view is stale', soon),
  ])
  // What exactly is wrong may take one more look at the members that are left.
  await expect(new Shell(list).banner(why)).toBeVisible()
  await expect(elections.link('ledger')).toBeVisible()
  await expectFrozen(elections, election)
}

/** While the server's clock goes on, what is left of the lease does not. */
async function expectFrozen(elections: ElectionsPage, election: ElectionPage): Promise<void> {
  const read = async () => [await elections.lease('ledger'), await election.lease()]
  const before = await read()
  await new Shell(election.page).waitClock(2)
  expect(await read()).toEqual(before)
}

/** Nobody reloaded, nobody else leads, and what was missed is told as missed. */
async function expectRecovered(list: Page, election: ElectionPage): Promise<void> {
  const elections = new ElectionsPage(list)
  await expect(new Shell(list).connection).toHaveText('Live', { timeout: 20_000 })
  await expect(elections.row('ledger')).toHaveCSS('filter', 'none')
  await expect(elections.cell('ledger', 'term')).toContainText('#1')
  await expect(elections.cell('ledger', 'leader')).toHaveText('sp-1')
  await expect(election.sentence).toHaveText(/^ledger is led by sp-1 .* term #1 /)
  await expect(election.leader).not.toContainText('frozen')
  await expect(election.terms).toHaveCount(1)
  await expect(election.lanes).toHaveAccessibleName(/^1 term by 1 leader .* 0 failovers, [1-9]\d* unobserved stretch/)
  await new Shell(list).expectNotReloaded()
  await new Shell(election.page).expectNotReloaded()
}

async function start(members: readonly EtcdMember[]): Promise<void> {
  await Promise.all(members.map((member) => member.start()))
}

for (const { title, count, word, why } of [
  { title: '@long all of etcd is stopped', count: 3, word: 'Unreachable', why: /no etcd endpoint can be reached/ },
  { title: 'two of three members are stopped', count: 2, word: 'Stale', why: /test is stale: etcd has no quorum/ },
]) {
  test(`${title}: the view is stale within five seconds and recovers without a reload`, async ({
    page,
    context,
    etcd,
    actors,
    election,
    shell,
  }) => {
    await actors.enter({ prefix, value: 'sp-1', ttlSeconds: 120 })
    await actors.enter({ prefix, value: 'sp-2', ttlSeconds: 120 })
    const list = await context.newPage()
    await list.goto('/')
    await election.open(prefix)
    const listed = new ElectionsPage(list)
    await expect(listed.cell('ledger', 'lease')).toContainText('of 120 s')
    await expect(election.leader).toContainText('of 120 s left')
    await new Shell(list).mark()
    await shell.mark()

    const stopped = etcd.members.slice(0, count)
    await Promise.all(stopped.map((member) => member.kill()))

    await expectStale(list, election, why)
    await expect(shell.connection).toHaveText(word)
    await expectAccessible(list)
    await expectAccessible(page)

    await start(stopped)
    await expectRecovered(list, election)
  })
}
