import type { Dashboard } from '../harness/dashboard.ts'
import { electionPath } from '../pages/election-page.ts'
import { StopDialogPage } from '../pages/stop-dialog.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

const until = () => new Date(Date.now() + 3_600_000).toISOString()
const ENGAGE = {
  scopeBase64: btoa('/elections/'),
  match: 'prefix',
  mode: 'cooperative',
  reason: 'r',
  typedName: '/elections/',
  operation: 'op-0123456789',
}

test.use({ ownEtcd: true })

/** As a script would, past the pages. */
function engage({ url }: Dashboard, cluster: string) {
  return fetch(`${url}/api/trpc/actions.engageSwitch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ ...ENGAGE, cluster, until: until() }),
  })
}

test.describe('everywhere', () => {
  test.use({ settings: { readOnly: true } })
  test('read-only: every page says so, no button acts, and neither does the API', async ({
    page,
    dashboard,
    actors,
    election,
    shell,
  }) => {
    await actors.enter({ prefix: '/elections/job', value: 'w-1' })
    await actors.enter({ prefix: '/elections/job', value: 'w-2' })
    const stop = new StopDialogPage(page)
    await election.open('/elections/job')
    await expect(election.sentence).toContainText('is led by')
    await expect(shell.banner('Read-only.')).toBeVisible()
    await expect(stop.opener).toBeDisabled()
    await expect(stop.opener).toHaveAccessibleDescription(/read-only/)
    await page.keyboard.press('x')
    await expect(stop.dialog).toBeHidden()
    await expectAccessible(page)

    await page.goto('/switches')
    await expect(shell.banner('Read-only.')).toBeVisible()
    await expect(stop.opener).toBeDisabled()
    await expect(page.getByRole('main')).toContainText('read-only')
    await expectAccessible(page)

    const before = (await actors.client.kv.range({ key: Buffer.from('/tenure/'), range_end: Buffer.from('/tenure0') }))
      .kvs
    const answer = await engage(dashboard, 'test')
    expect(answer.status).toBe(409)
    expect(JSON.stringify(await answer.json())).toContain('read-only')
    const after = (await actors.client.kv.range({ key: Buffer.from('/tenure/'), range_end: Buffer.from('/tenure0') }))
      .kvs
    expect(after).toEqual(before)
  })
})

test.describe('one cluster of two', () => {
  test.use({ clusters: { live: ['/elections/live/'], archive: { watch: ['/elections/archive/'], readOnly: true } } })
  test('is read-only: its pages say so and its buttons rest, the other’s act @long', async ({
    page,
    dashboard,
    actors,
    election,
    shell,
  }) => {
    await actors.enter({ prefix: '/elections/archive/job', value: 'w-1' })
    await actors.enter({ prefix: '/elections/live/job', value: 'w-2' })
    const stop = new StopDialogPage(page)
    await page.goto(electionPath('archive', 'queue', '/elections/archive/job/'))
    await expect(election.sentence).toContainText('is led by w-1')
    await expect(shell.banner('Read-only.')).toContainText('Nothing is written to archive from here')
    await expect(stop.opener).toBeDisabled()
    await expect(stop.opener).toHaveAccessibleDescription(/This cluster is read-only/)
    await page.keyboard.press('x')
    await expect(stop.dialog).toBeHidden()
    await expectAccessible(page)
    await page.goto(electionPath('live', 'queue', '/elections/live/job/'))
    await expect(election.sentence).toContainText('is led by w-2')
    await expect(stop.opener).toBeEnabled()

    const refused = await engage(dashboard, 'archive')
    expect([refused.status, (await refused.text()).includes('cluster-read-only')]).toEqual([409, true])
    const { count } = await actors.client.kv.range({
      key: Buffer.from('/tenure/switch/'),
      range_end: Buffer.from('/tenure/switch0'),
      count_only: true,
    })
    expect(Number(count)).toBe(0)
  })
})
