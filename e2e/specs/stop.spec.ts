import { startCandidate } from '../harness/library-candidate.ts'
import { StopDialogPage } from '../pages/stop-dialog.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'
import { twoWorkers } from './support/two-workers.ts'

// Whole scopes are stopped: no other test may have candidates in them.
test.use({ ownEtcd: true })

const ELECTION = '/elections/payments/ledger'
const { leading, stopped } = twoWorkers(ELECTION)

test('stopped by mouse: reason, typed name and two seconds of holding; proven by name; released slowly', async ({
  page,
  context,
  election,
  shell,
}) => {
  test.setTimeout(120_000)
  const stop = new StopDialogPage(page)
  await election.open(ELECTION)
  await expect(election.sentence).toContainText('is led by')
  await stop.opener.click()
  await expectAccessible(page)

  await test.step('nothing is sent before everything is given, nor by letting go early', async () => {
    await page.mouse.click(5, 400)
    await expect(stop.hold).toBeDisabled()
    await expect(stop.dialog).toContainText('Give a reason first.')
    await stop.reason.fill('double payouts since 02:40')
    await expect(stop.dialog).toContainText('Type the name first.')
    await stop.typed.pressSequentially('payments/ledge')
    await expect(stop.hold).toBeDisabled()
    await stop.typed.pressSequentially('r')
    await expect(stop.hold).toBeEnabled()
    await expect(stop.hold).toHaveText('Hold to stop payments/ledger')
    await stop.holdDown(700)
    await expect(stop.hold).toHaveText('Hold to stop payments/ledger')
    expect(leading()).toBe(1)
  })
  await test.step('held for two seconds, it stops both and says so', async () => {
    await stop.holdDown()
    await expect(stop.dialog).toContainText('Verified in etcd.')
    await expect(stop.dialog).toContainText('2 of 2 candidates have stopped.')
    expect([leading(), stopped()]).toEqual([0, 2])
    await expectAccessible(page)
    await stop.dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(shell.banner('Kill switch on /elections/payments/ledger/')).toContainText('double payouts since 02:40')
    await expect(election.sentence).toContainText('is stopped by the kill switch')
    await expect(page.locator('[data-stopped=now]').first()).toBeAttached()
  })
  await test.step('its page proves it, also after a reload', async () => {
    await page.getByRole('link', { name: 'Kill switches' }).click()
    const block = stop.block('/elections/payments/ledger/')
    await expect(block).toContainText('2 of 2 candidates have stopped.')
    await expect(block.getByRole('row', { name: /worker-a/ })).toContainText('stopped, and said so')
    await page.reload()
    await expect(block).toContainText('2 of 2 candidates have stopped.')
    await expectAccessible(page)
  })
  await test.step('the release asks for a reason and the name, and what was changed since is looked at first', async () => {
    await stop.block('/elections/payments/ledger/').getByRole('button', { name: 'Release…' }).click()
    const release = stop.dialog.getByRole('button', { name: 'Release /elections/payments/ledger/' })
    await expect(release).toBeDisabled()
    const elsewhere = await context.newPage()
    const longer = new StopDialogPage(elsewhere)
    await elsewhere.goto('/switches')
    await longer.block('/elections/payments/ledger/').getByRole('button', { name: 'Extend…' }).click()
    await longer.reason.fill('not found yet')
    await longer.dialog.getByRole('button', { name: /^Keep .* stopped until/ }).click()
    await expect(longer.dialog).toContainText('Verified in etcd.')
    await elsewhere.close()
    await stop.reason.fill('fixed')
    await stop.typed.pressSequentially('payments/ledger')
    await expect(stop.dialog).toContainText('extended by somebody on this machine, “not found yet”')
    await expect(release).toBeDisabled()
    await stop.dialog.getByRole('button', { name: 'Look again' }).click()
    await expect(stop.reason).toHaveValue('fixed')
    await stop.typed.pressSequentially('payments/ledger')
    await expectAccessible(page)
    await release.click()
    await expect(stop.dialog).toContainText('Verified in etcd.')
    await stop.dialog.getByRole('button', { name: 'Close' }).last().click()
  })
  await test.step('exactly one leads again', async () => {
    await expect.poll(leading).toBe(1)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No kill switch is engaged.')
    await expect(page.getByRole('region', { name: 'Earlier stops' })).toContainText('double payouts since 02:40')
    await expect(page.getByRole('region', { name: 'Earlier stops' })).toContainText('released by')
  })
})

test('stopped by the keyboard alone; Enter in a field sends nothing', async ({ page, election }) => {
  const stop = new StopDialogPage(page)
  await election.open(ELECTION)
  await expect(election.sentence).toContainText('is led by')
  await page.keyboard.press('x')
  await expect(stop.dialog).toBeVisible()
  await stop.reason.focus()
  await page.keyboard.type('drill')
  await page.keyboard.press('Tab')
  await expect(stop.typed).toBeFocused()
  await page.keyboard.type('payments/ledger')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(stop.hold).toBeFocused()
  await page.keyboard.down('Enter')
  await page.waitForTimeout(800)
  await page.keyboard.up('Enter')
  await expect(stop.hold).toHaveText('Hold to stop payments/ledger')
  expect(leading()).toBe(1)
  await page.keyboard.down('Enter')
  await expect(stop.dialog).toContainText('Verified in etcd.', { timeout: 8_000 })
  await page.keyboard.up('Enter')
  await expect.poll(stopped).toBe(2)
  await page.keyboard.press('Escape')
  await expect(stop.dialog).toBeHidden()
})

test('a typed name cannot be pasted, and another scope asks for another name', async ({ page, election }) => {
  const stop = new StopDialogPage(page)
  await election.open(ELECTION)
  await stop.opener.click()
  await stop.reason.fill('x')
  await stop.typed.focus()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'payments/ledger')
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, cancelable: true, bubbles: true }),
    )
  })
  await expect(stop.typed).toHaveValue('')
  await stop.typed.pressSequentially('payments/ledger')
  await expect(stop.hold).toBeEnabled()
  await stop.scope(/Everything under \/elections\/payments\//).check()
  await expect(stop.hold).toBeDisabled()
  await expect(stop.dialog).toContainText('Type the name first.')
  await expect(stop.dialog).toContainText('1 election, 2 candidates')
  await stop.scope('All of test').check()
  await stop.typed.pressSequentially('test')
  await expect(stop.hold).toHaveText('Hold to stop all of test')
  await expect(stop.hold).toBeEnabled()
})

test('where motion is reduced, a second press confirms instead of holding @long', async ({ openContext }) => {
  const page = await (await openContext({ reducedMotion: 'reduce' })).newPage()
  const stop = new StopDialogPage(page)
  await page.goto('/switches')
  await stop.opener.click()
  await stop.scope('All of test').check()
  await stop.reason.fill('drill')
  await stop.typed.pressSequentially('test')
  await stop.hold.click()
  await expect(stop.hold).toHaveText('Press again to stop all of test')
  expect(leading()).toBe(1)
  await stop.hold.click()
  await expect(stop.dialog).toContainText('2 of 2 candidates have stopped.')
})

test('an enforced stop holds the seat against clients that do not read the switch, and lets exactly one lead again', async ({
  page,
  actors,
  election,
  etcd,
}) => {
  const stop = new StopDialogPage(page)
  const job = '/elections/legacy/job'
  for (const value of ['old-1', 'old-2']) {
    actors.elect(job, value)
    await expect.poll(async () => (await etcd.etcdctl(['get', '--prefix', `${job}/`])).stdout).toContain(value)
  }
  await election.open(job)
  await expect(election.sentence).toContainText('is led by old-1')
  await stop.opener.click()
  await expect(stop.scope(/Hold the seat as well/)).toBeChecked()
  await expect(stop.dialog).toContainText('does not read the switch')
  await stop.reason.fill('bad data')
  await stop.typed.pressSequentially('legacy/job')
  await stop.holdDown()
  await expect(stop.dialog).toContainText('Verified in etcd.')
  await page.keyboard.press('Escape')
  await expect(election.sentence).toContainText('Tenure holds the seat')
  await expect(election.leaderName).toHaveText('Tenure holds the seat')
  await expect(election.terms.first()).toContainText('kill switch by')
  await expectAccessible(page)

  await page.goto('/switches')
  await expect(stop.block(`${job}/`)).toContainText('enforced: the heads of the queues are held')
  await expect(stop.block(`${job}/`)).toContainText('cannot acknowledge: treat it as running')
  await test.step('released by the keyboard alone; Enter in a field sends nothing', async () => {
    await stop.block(`${job}/`).getByRole('button', { name: 'Release…' }).focus()
    await page.keyboard.press('Enter')
    await stop.reason.focus()
    await page.keyboard.type('repaired')
    await page.keyboard.press('Tab')
    await expect(stop.typed).toBeFocused()
    await page.keyboard.type('legacy/job')
    await page.keyboard.press('Enter')
    // Cancel, then the effect.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(stop.dialog.getByRole('button', { name: /^Release/ })).toBeFocused()
    await expect(stop.dialog).not.toContainText('Verified in etcd.')
    await page.keyboard.press('Enter')
    await expect(stop.dialog).toContainText('Verified in etcd.')
  })
  await election.open(job)
  await expect(election.sentence).toContainText('is led by old-2')
})

test('an admin arms a switch for candidates that need one before they lead', async ({ page, etcd }) => {
  const careful = startCandidate({
    endpoints: etcd.endpoints,
    election: '/elections/careful/job',
    identity: 'careful-1',
    ttlSeconds: 10,
    onMissingSwitch: 'halt',
  })
  await page.goto('/switches')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Arm…' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('radio', { name: 'All of test' }).check()
  await dialog.getByLabel('Reason').fill('new cluster')
  await expectAccessible(page)
  expect(careful.candidate.state).not.toBe('leading')
  await dialog.getByRole('button', { name: 'Arm the kill switch of all of test' }).press('Enter')
  await expect(dialog).toContainText('Verified in etcd.')
  await expect.poll(() => careful.candidate.state).toBe('leading')
  await page.keyboard.press('Escape')

  await test.step('and by mouse, another scope', async () => {
    await page.getByRole('button', { name: 'Arm…' }).click()
    await dialog.getByRole('radio', { name: /elections/ }).click()
    await dialog.getByLabel('Reason').fill('one by one')
    await dialog.getByRole('button', { name: /^Arm the kill switch of/ }).click()
    await expect(dialog).toContainText('Verified in etcd.')
  })
  await careful.stop()
})
