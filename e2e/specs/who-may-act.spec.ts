import type { Page } from '@playwright/test'
import { refOf } from '../../lib/election/ids.ts'
import { ElectionPage } from '../pages/election-page.ts'
import { firstLink, PeoplePages } from '../pages/people-pages.ts'
import { StopDialogPage } from '../pages/stop-dialog.ts'
import { expectAccessible } from './support/accessible.ts'
import type { Actors } from './support/actors.ts'
import { rawRequest } from './support/raw-request.ts'
import { expect, test } from './support/test.ts'
import { twoWorkers } from './support/two-workers.ts'

test.use({ ownEtcd: true, settings: { auth: 'required', release: { secondPerson: true } } })

const ELECTION = '/elections/payments/ledger'
const REF = refOf('queue', `${ELECTION}/`)
const { leading } = twoWorkers(ELECTION)

async function written({ client }: Actors) {
  const under = async (prefix: string) => {
    const range = { key: Buffer.from(`${prefix}/`), range_end: Buffer.from(`${prefix}0`) }
    return (await client.kv.range(range)).kvs.map(({ key, mod_revision }) => `${key} ${mod_revision}`)
  }
  return [...(await under('/tenure/switch')), ...(await under('/tenure/handoff')), ...(await under('/elections'))]
}

/** From the page itself, with its session. */
function act(page: Page, path: string, input: object) {
  return page.evaluate(
    async ([to, body]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`/api/trpc/${to}`, { method: 'POST', headers, body })
      return { status: response.status, text: await response.text() }
    },
    [path, JSON.stringify(input)] as const,
  )
}

interface Entry {
  actor: { name: string }
  verb: string
  kind: string
  code?: string
}

const operation = () => `op-${crypto.randomUUID()}`
const ENGAGE = {
  cluster: 'test',
  scopeBase64: btoa(`${ELECTION}/`),
  match: 'exact',
  mode: 'cooperative',
  reason: 'r',
  typedName: 'payments/ledger',
}
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

test('a viewer sees why not, an operator stops, an admin asks for the release and a second person agrees', async ({
  page,
  dashboard,
  openContext,
  actors,
}) => {
  test.setTimeout(180_000)
  const ada = new PeoplePages(page)
  await ada.setUp(firstLink(dashboard), { name: 'Ada', email: 'ada@example.org' })
  await ada.choose('People')
  const newcomer = async (name: string, role: string) => {
    const link = await ada.add({ name, email: `${name.toLowerCase()}@example.org`, role })
    await page.getByRole('button', { name: 'Done' }).click()
    const own = await (await openContext()).newPage()
    await new PeoplePages(own).setUp(link)
    return own
  }
  const viewer = await newcomer('Vi', 'viewer')
  const operator = await newcomer('Bob', 'operator')

  await test.step('the viewer is told why, by the page and by the server, and nothing changes', async () => {
    const election = new ElectionPage(viewer)
    await election.open(ELECTION)
    await expect(election.sentence).toContainText('is led by')
    for (const name of ['Kill switch…', 'Hand off…']) {
      const button = viewer.getByRole('button', { name })
      await expect(button).toBeDisabled()
      await expect(button).toHaveAccessibleDescription(/You are a viewer/)
    }
    await expectAccessible(viewer)
    const before = await written(actors)
    const refused = await act(viewer, 'actions.engageSwitch', { ...ENGAGE, until: inAnHour(), operation: operation() })
    expect([refused.status, refused.text.includes('"code":"role"')]).toEqual([403, true])
    const preflight = await act(viewer, 'actions.preflight', { cluster: 'test', ref: REF, action: 'handoff' })
    expect(preflight.status).toBe(403)
    expect(await written(actors)).toEqual(before)
  })
  await test.step('the operator stops it, and may not release', async () => {
    await new ElectionPage(operator).open(ELECTION)
    const stop = new StopDialogPage(operator)
    await stop.opener.click()
    await stop.reason.fill('double payouts')
    await stop.typed.pressSequentially('payments/ledger')
    await stop.holdDown()
    await expect(stop.dialog).toContainText('2 of 2 candidates have stopped.')
    await operator.goto('/switches')
    const block = stop.block(`${ELECTION}/`)
    await expect(block.getByRole('button', { name: 'Release…' })).toBeDisabled()
    await expect(block).toContainText('To release the kill switch, you must be an admin.')
    await expect(block.getByRole('button', { name: 'Extend…' })).toBeEnabled()
  })
  await test.step('the operator extends it by the keyboard alone', async () => {
    const stop = new StopDialogPage(operator)
    await stop.block(`${ELECTION}/`).getByRole('button', { name: 'Extend…' }).focus()
    await operator.keyboard.press('Enter')
    await stop.reason.focus()
    await operator.keyboard.type('not found yet')
    await operator.keyboard.press('Tab')
    await operator.keyboard.press('Tab')
    await expect(stop.dialog.getByRole('button', { name: /^Keep .* stopped until/ })).toBeFocused()
    await operator.keyboard.press('Enter')
    await expect(stop.dialog).toContainText('Verified in etcd.')
    await expectAccessible(operator)
    await operator.keyboard.press('Escape')
  })
  await test.step('the admin asks for the release: nobody leads before somebody else agrees', async () => {
    await page.goto('/switches')
    const stop = new StopDialogPage(page)
    await stop.block(`${ELECTION}/`).getByRole('button', { name: 'Release…' }).click()
    await stop.reason.fill('fixed in 4.2.1')
    await stop.typed.pressSequentially('payments/ledger')
    await stop.dialog.getByRole('button', { name: /^Release/ }).click()
    await expect(stop.dialog).toContainText('Waits for a second person')
    await page.keyboard.press('Escape')
    const block = stop.block(`${ELECTION}/`)
    await expect(block).toContainText('Ada asked for the release')
    const confirming = block.getByRole('button', { name: 'Confirm release…' })
    await expect(confirming).toBeDisabled()
    await expect(confirming).toHaveAccessibleDescription(/You asked for it/)
    const standing = { cluster: 'test', scopeBase64: ENGAGE.scopeBase64 }
    const shown = await page.request.get(
      `/api/trpc/actions.switchProof?input=${encodeURIComponent(JSON.stringify(standing))}`,
    )
    const { nonce } = (await shown.json()).result.data
    const own = { ...standing, nonce, typedName: ENGAGE.typedName, operation: operation() }
    const refused = await act(page, 'actions.confirmRelease', own)
    expect([refused.status, refused.text.includes('cannot confirm it')]).toEqual([409, true])
    expect(leading()).toBe(0)
  })
  await test.step('the operator agrees, by the keyboard alone, and exactly one leads', async () => {
    const stop = new StopDialogPage(operator)
    await stop.block(`${ELECTION}/`).getByRole('button', { name: 'Confirm release…' }).focus()
    await operator.keyboard.press('Enter')
    await expect(stop.dialog).toContainText('fixed in 4.2.1')
    await stop.typed.focus()
    await operator.keyboard.type('payments/ledger')
    // Cancel, then the effect.
    await operator.keyboard.press('Tab')
    await operator.keyboard.press('Tab')
    await expect(stop.dialog.getByRole('button', { name: /^Confirm the release/ })).toBeFocused()
    await operator.keyboard.press('Enter')
    await expect(stop.dialog).toContainText('Verified in etcd.')
    await expect.poll(leading).toBe(1)
  })
  await test.step('the audit log names all of it, denied attempts too', async () => {
    const { text } = await page.evaluate(async () => {
      const response = await fetch(`/api/trpc/audit.list?input=${encodeURIComponent('{"limit":100}')}`)
      return { text: await response.text() }
    })
    const { entries } = (JSON.parse(text) as { result: { data: { entries: Entry[] } } }).result.data
    const told = entries.map(({ actor, verb, kind, code }) => [actor.name, verb, kind, code ?? ''].join(' ').trim())
    expect(told).toEqual(
      expect.arrayContaining([
        'Vi engage refusal role',
        'Vi handoff refusal role',
        'Bob engage intent',
        'Bob engage outcome',
        'Bob extend outcome',
        'Ada release intent',
        'Ada confirmRelease refusal second-person',
        'Bob confirmRelease outcome',
      ]),
    )
  })
})

test('forms and pages of other sites, other hosts and GETs stop nothing', async ({
  page,
  context,
  dashboard,
  openContext,
  actors,
}) => {
  const { port } = dashboard
  await new PeoplePages(page).setUp(firstLink(dashboard), { name: 'Ada', email: 'ada@example.org' })
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const host = `127.0.0.1:${port}`
  const body = JSON.stringify({ ...ENGAGE, until: inAnHour(), operation: operation() })
  const path = '/api/trpc/actions.engageSwitch'
  const post = (headers: Record<string, string>) =>
    rawRequest(port, {
      method: 'POST',
      path,
      headers: { host, cookie, 'content-type': 'application/json', ...headers },
      body,
    })
  const before = await written(actors)
  for (const origin of ['https://attacker.example', 'null', `http://localhost:${port + 1}`]) {
    expect([origin, await post({ origin })]).toEqual([origin, 403])
  }
  expect(await post({})).toBe(403)
  expect(await post({ origin: `http://${host}`, host: 'rebound.example' })).toBe(421)
  const query = `${path}?input=${encodeURIComponent(body)}`
  expect(await rawRequest(port, { path: query, headers: { host, cookie } })).toBe(405)
  const elsewhere = await (await openContext()).newPage()
  await elsewhere.route('http://attacker.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" enctype="text/plain" action="http://${host}${path}"><input name='${body.slice(0, -1)},"x":"' value='"}'><button>go</button></form>`,
    }),
  )
  await elsewhere.goto('http://attacker.example/')
  const answer = elsewhere.waitForResponse(`**${path}`)
  await elsewhere.getByRole('button').click()
  expect((await answer).status()).toBe(403)
  expect(await written(actors)).toEqual(before)
  expect(leading()).toBe(1)
  expect(await post({ origin: `http://${host}` })).toBe(200)
  await expect.poll(leading).toBe(0)
})
