import type { Page } from '@playwright/test'
import { ElectionPage } from '../pages/election-page.ts'
import { HandoffDialog } from '../pages/handoff-dialog.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

/** Everything that a write would change. */
async function keysOf(etcdctl: (args: readonly string[]) => Promise<{ stdout: string }>, prefix: string) {
  const { stdout } = await etcdctl(['get', '--prefix', prefix, '-w', 'json'])
  return JSON.stringify((JSON.parse(stdout) as { kvs?: unknown[] }).kvs ?? [])
}

async function openAt(page: Page, prefix: string): Promise<{ election: ElectionPage; handoff: HandoffDialog }> {
  const election = new ElectionPage(page)
  await election.open(prefix)
  return { election, handoff: new HandoffDialog(page) }
}

/** The action itself: `actions.handoffs`, which pages ask as well, is another. */
const SENT = /\/actions\.handoff(\?|$)/

test('by mouse: the leader is asked, drains, and the successor that was chosen leads', async ({ page, actors }) => {
  test.setTimeout(90_000)
  const prefix = '/elections/handoff-mouse/ledger-writer'
  await actors.library({ election: prefix, identity: 'worker-b', drainMs: 800 })
  await actors.library({ election: prefix, identity: 'worker-c' })
  await actors.library({ election: prefix, identity: 'worker-a' })
  const { election, handoff } = await openAt(page, prefix)
  await expect(election.candidates).toHaveCount(3)
  await handoff.open()
  await expect(handoff.seen).toContainText('worker-b')
  await expect(handoff.preflight).toHaveCount(6)
  await expect(handoff.preflight.filter({ hasText: 'Standby healthy' })).toContainText('worker-c')
  await expect(handoff.preflight.filter({ hasText: 'Tenure cannot see fencing' })).toContainText('not known')
  await expect(handoff.method('Ask the leader to drain and resign')).toBeChecked()

  const name = 'handoff-mouse/ledger-writer'
  await expect(handoff.confirm(`Hand off ${name} from worker-b to worker-c`)).toBeDisabled()
  await handoff.successor('worker-a').check()
  await handoff.reason.fill('Draining eu-1b for the kernel patch')
  await expectAccessible(page)
  await handoff.confirm(`Hand off ${name} from worker-b to worker-a`).click()

  await expect(handoff.progress).toContainText('worker-a leads with token')
  await expect(handoff.phase('Drained')).toContainText('Reported by worker-b')
  await expect(handoff.phase('Released')).toContainText('Verified in etcd')
  await expect(handoff.phase('Successor elected')).toContainText('Verified in etcd')
  await expect(handoff.phase('Old leader stopped')).toContainText('Reported by worker-b')
  await expectAccessible(page)
  await handoff.progress.getByRole('button', { name: 'Close' }).last().click()
  await expect(election.leaderName).toHaveText('worker-a')
  await expect(election.term(1)).toContainText('handed off')
  await expect(handoff.button).toBeFocused()
})

test('by keyboard only, with no way to send it from the text field', async ({ page, actors, etcd }) => {
  const prefix = '/elections/handoff-keys/job'
  await actors.enter({ prefix, value: 'worker-b' })
  await actors.enter({ prefix, value: 'worker-c' })
  const { election, handoff } = await openAt(page, prefix)
  await expect(election.candidates).toHaveCount(2)
  await expect(handoff.button).toHaveAttribute('aria-disabled', 'false')
  await page.keyboard.press('h')
  await expect(handoff.method('Revoke its session')).toBeChecked()
  const before = await keysOf(etcd.etcdctl, prefix)

  const focused = () => page.evaluate(() => document.activeElement?.tagName)
  for (let pressed = 0; (await focused()) !== 'TEXTAREA'; pressed += 1) {
    expect(pressed, 'the reason is reached by Tab').toBeLessThan(12)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('It hangs')
  for (const keys of ['Enter', 'Control+Enter']) await page.keyboard.press(keys)
  await expect(handoff.review).toBeVisible()
  expect(await keysOf(etcd.etcdctl, prefix)).toBe(before)
  const confirm = handoff.confirm('Revoke worker-b’s session on handoff-keys/job')
  for (let pressed = 0; !(await confirm.evaluate((own) => own === document.activeElement)); pressed += 1) {
    expect(pressed, 'the button is reached by Tab').toBeLessThan(6)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(handoff.progress).toContainText('worker-c leads with token')
  await expect(handoff.phase('Old leader stopped')).toContainText('Unknown')
  await page.keyboard.press('Escape')
  await expect(handoff.progress).toBeHidden()
  await expect(election.leaderName).toHaveText('worker-c')
  await expect(election.term(1)).toContainText('revoked')
  await page.keyboard.press('h')
  await expect(handoff.review).toContainText(/Handed off \d+ s ago by somebody on this machine: It hangs/)
  await page.keyboard.press('Escape')
  await expect(handoff.review).toBeHidden()
})

interface Answer {
  error?: { data: { refusal: { code: string; expected?: string; is?: string } } }
  result?: { data: { token?: string; id?: string; outcome?: { is: string } } }
}

/** Past the page, with the session of the page. */
function post(page: Page, path: string, body: object): Promise<Answer> {
  return page.evaluate(
    async ([to, sent]) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`/api/trpc/${to}`, { method: 'POST', headers, body: sent })).json()
    },
    [path, JSON.stringify(body)] as const,
  )
}

test('RC-15: a stale screen is refused, a replay returns the first outcome, and etcd stays as it is', async ({
  page,
  actors,
  etcd,
  openContext,
}) => {
  const prefix = '/elections/handoff-stale/job'
  const ref = `q~${Buffer.from(`${prefix}/`).toString('base64url')}`
  for (const value of ['L1', 'L2', 'L3']) await actors.enter({ prefix, value })
  const mine = await openAt(page, prefix)
  const there = await openAt(await (await openContext()).newPage(), prefix)
  for (const { election, handoff } of [mine, there]) {
    await expect(election.candidates).toHaveCount(3)
    await handoff.open()
    await handoff.reason.fill('It hangs')
  }
  const stale = await post(there.handoff.page, 'actions.preflight', { cluster: 'test', ref, action: 'handoff' })
  const effect = 'Revoke L1’s session on handoff-stale/job'
  const [sent] = await Promise.all([page.waitForRequest(SENT), mine.handoff.confirm(effect).dblclick()])
  await expect(mine.handoff.progress).toContainText('L2 leads with token')
  const close = mine.handoff.progress.getByRole('button', { name: 'Close' }).last()
  await close.dispatchEvent('click', { detail: 2 })
  await expect(close).toBeVisible()
  const before = await keysOf(etcd.etcdctl, prefix)

  const words = 'The leader changed while you read this: now L2, #2. Nothing was sent.'
  await expect(there.handoff.problem).toContainText(words)
  await expect(there.handoff.confirm(effect)).toBeDisabled()
  const input = { cluster: 'test', ref, token: stale.result?.data.token, method: 'revoke-session', reason: 'It hangs' }
  const late = await post(there.handoff.page, 'actions.handoff', { ...input, operation: 'op-stale-1' })
  expect(late.error?.data.refusal).toMatchObject({
    code: 'changed',
    expected: expect.stringMatching(/^L1 \(rev /),
    is: expect.stringMatching(/^L2 \(rev /),
  })
  const replay = await post(page, 'actions.handoff', sent.postDataJSON() as object)
  expect(replay.result?.data).toMatchObject({
    id: (sent.postDataJSON() as { operation: string }).operation,
    outcome: { is: 'verified' },
  })
  expect(await keysOf(etcd.etcdctl, prefix)).toBe(before)

  await there.handoff.review.getByRole('button', { name: 'Review again' }).click()
  await expect(there.handoff.seen).toContainText('L2')
  await expect(there.handoff.review).toContainText('ago by somebody on this machine')
})

test('of two browsers that press at once, one acts and the other is refused', async ({
  page,
  actors,
  etcd,
  openContext,
}) => {
  const prefix = '/elections/handoff-race/job'
  for (const value of ['L1', 'L2', 'L3']) await actors.enter({ prefix, value })
  const both = [await openAt(page, prefix), await openAt(await (await openContext()).newPage(), prefix)]
  for (const { election, handoff } of both) {
    await expect(election.candidates).toHaveCount(3)
    await handoff.open()
    await handoff.reason.fill('It hangs')
  }
  // Neither comes to the server before both are on their way.
  let underway = 0
  const { promise: bothUnderway, resolve } = Promise.withResolvers<void>()
  for (const { handoff } of both) {
    await handoff.page.route(SENT, async (route) => {
      underway += 1
      if (underway === 2) resolve()
      await bothUnderway
      await route.continue()
    })
  }
  const answers = both.map(({ handoff }) => handoff.page.waitForResponse(SENT))
  await Promise.all(both.map(({ handoff }) => handoff.confirm('Revoke L1’s session on handoff-race/job').click()))
  const statuses = (await Promise.all(answers)).map((answer) => answer.status()).sort()
  expect(statuses).toEqual([200, 409])
  const acted = both.filter(({ handoff }) => handoff.progress)
  await expect
    .poll(async () => (await Promise.all(acted.map(({ handoff }) => handoff.progress.count()))).sort())
    .toEqual([0, 1])
  const counts = await Promise.all(both.map(({ handoff }) => handoff.problem.count()))
  expect(counts.sort()).toEqual([0, 1])
  const { stdout } = await etcd.etcdctl(['get', '--prefix', prefix, '--print-value-only', '--sort-by=CREATE'])
  expect(stdout.split('\n').filter(Boolean)).toEqual(['L2', 'L3'])
})

test('removing only the key stands behind its explanation, and the former holder is warned of until its lease ends', async ({
  page,
  actors,
}) => {
  const prefix = '/elections/handoff-key/job'
  const old = await actors.enter({ prefix, value: 'worker-b' })
  await actors.enter({ prefix, value: 'worker-c' })
  const { election, handoff } = await openAt(page, prefix)
  await expect(election.candidates).toHaveCount(2)
  await handoff.open()
  await expect(handoff.method('Remove only its key')).toHaveCount(0)
  await handoff.review.getByRole('button', { name: 'Another way: remove only its key…' }).click()
  await expect(handoff.review).toContainText('worker-b will probably not notice and go on for ever')
  await handoff.method('Remove only its key').check()
  await handoff.reason.fill('Its lease is shared')
  await handoff.confirm('Remove only worker-b’s key from handoff-key/job').click()
  await expect(handoff.progress).toContainText('worker-c leads with token')
  await expect(handoff.progress).toContainText(`The previous holder’s lease ${old.leaseHex.padStart(16, '0')}`)
  await handoff.progress.getByRole('button', { name: 'Close' }).last().click()
  await page.reload()
  await expect(handoff.warnings).toContainText('worker-b may still act. Restart that process.')
  await expectAccessible(page)
  await old.revoke()
  await expect(handoff.warnings).toHaveCount(0, { timeout: 15_000 })
})

test('RC-16: an answer that never comes is no failure: what was done is found out, and what is not known is told as that', async ({
  page,
  actors,
}) => {
  const prefix = '/elections/handoff-unknown/job'
  for (const value of ['L1', 'L2', 'L3']) await actors.enter({ prefix, value })
  const { election, handoff } = await openAt(page, prefix)
  await expect(election.candidates).toHaveCount(3)
  const confirm = async (leader: string) => {
    await handoff.open()
    await handoff.reason.fill('It hangs')
    if ((await handoff.review.getByRole('checkbox').count()) > 0) await handoff.review.getByRole('checkbox').check()
    await handoff.confirm(`Revoke ${leader}’s session on handoff-unknown/job`).click()
  }
  await test.step('the request arrives, its answer does not', async () => {
    await page.route(
      SENT,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await confirm('L1')
    await expect(handoff.progress).toContainText('L2 leads with token')
    await handoff.progress.getByRole('button', { name: 'Close' }).last().click()
  })
  await test.step('the request does not arrive', async () => {
    await page.route(SENT, (route) => route.abort(), { times: 1 })
    await confirm('L2')
    await expect(handoff.progress).toContainText('Unknown. Tenure did not answer for action op-')
    await expectAccessible(page)
    await handoff.progress.getByRole('button', { name: 'Check again' }).click()
    await expect(handoff.progress).toContainText('it may have been done, or never have arrived')
    await handoff.progress.getByRole('button', { name: 'Close' }).last().click()
    await expect(election.leaderName).toHaveText('L2')
  })
})

test('a leader that cannot answer stays leader, and is forced only when somebody chooses to', async ({
  page,
  actors,
}) => {
  test.setTimeout(120_000)
  const prefix = '/elections/handoff-vain/job'
  await actors.library({ election: prefix, identity: 'worker-b' })
  // By its presence a library candidate, which would yield; but its process hangs.
  const hung = await actors.enter({ prefix, value: 'worker-f', ttlSeconds: 300 })
  const says = {
    ...{ v: 1, identity: 'worker-f', state: 'waiting', token: null, switchNonces: [], lastResign: null },
    ...{ onMissingSwitch: 'run', metaPrefix: '/tenure/', client: 'tenure', version: '0.1.0' },
  }
  await actors.put(`/tenure/presence/${prefix}//${hung.leaseHex}`, JSON.stringify(says), hung.lease)
  await actors.library({ election: prefix, identity: 'worker-a' })
  const { election, handoff } = await openAt(page, prefix)
  await expect(election.candidates).toHaveCount(3)
  await handoff.open()
  await handoff.successor('worker-a').check()
  await handoff.reason.fill('A test')
  await handoff.confirm('Hand off handoff-vain/job from worker-b to worker-a').click()
  await expect(handoff.progress).toContainText(/It has 2\d\.\d s left; then it stays leader/)
  await expect(handoff.progress).toContainText(
    'worker-b did not answer within 30 s with worker-a next and stays leader.',
    { timeout: 60_000 },
  )
  await expect(handoff.phase('Released')).toContainText('Not reached')
  await handoff.progress.getByRole('button', { name: 'Revoke worker-b’s session…' }).click()
  await expect(handoff.method('Revoke its session')).toBeChecked()
  await expect(handoff.confirm('Revoke worker-b’s session on handoff-vain/job')).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(election.leaderName).toHaveText('worker-b')
})
