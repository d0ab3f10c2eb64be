import { setTimeout as pause } from 'node:timers/promises'
import { batchOf, keepReporting, postReports, reportOf, type Words } from '../harness/reports.ts'
import { expectAccessible } from './support/accessible.ts'
import type { Actors, Entrant } from './support/actors.ts'
import { REPORTS_TOKEN } from './support/server.ts'
import { expect, test } from './support/test.ts'

/** A candidate whose key is real and which reports what it believes, until the test ends. */
interface Reporting extends Entrant {
  believe(words: Words): Promise<void>
  fallSilent(): Promise<void>
}

interface Cast {
  actors: Actors
  url: string
  prefix: string
}

const silences: (() => Promise<void>)[] = []
test.afterEach(async () => {
  for (const fallSilent of silences.splice(0)) await fallSilent()
})

function speak({ url, prefix }: Cast, who: { identity: string; instance?: string; lease: string }, words: Words) {
  const speaker = { prefix, ...who }
  let belief = words
  const post = { url, token: REPORTS_TOKEN, everyMs: 500 }
  const reporting = keepReporting(post, () => [reportOf(speaker, belief)])
  silences.push(reporting.stop)
  return {
    believe: async (next: Words) => {
      belief = next
      await reporting.now()
    },
    fallSilent: reporting.stop,
  }
}

async function enter(cast: Cast, identity: string, leads: boolean): Promise<Reporting> {
  const entrant = await cast.actors.enter({ prefix: cast.prefix, value: identity })
  const words = leads ? { token: entrant.revision, claimLeftMs: 3_000, lastWorkAgeMs: 200 } : {}
  return { ...entrant, ...speak(cast, { identity, lease: entrant.lease }, words) }
}

test('two instances that claim one token are the loudest status there is, until one of them stops', async ({
  dashboard,
  actors,
  elections,
  election,
}) => {
  const cast = { actors, url: dashboard.url, prefix: '/elections/claims/twins' }
  const leader = await enter(cast, 'worker-a', true)
  await enter(cast, 'worker-b', false)
  await elections.open('?q=claims/twins')
  await expect(elections.cell('claims/twins', 'status')).toHaveText('Healthy')

  await election.open(cast.prefix)
  await expect(election.claimOf('etcd')).toContainText('worker-a, lowest create revision')
  await expect(election.claimOf('worker-a')).toContainText('agrees: “I lead #1”, said')
  await expect(election.claimOf('worker-a')).toContainText('last work')
  await expect(election.claimOf('worker-b')).toContainText('agrees: “I wait” behind worker-a, said')

  const who = { identity: 'worker-a', instance: 'a-copy', lease: leader.lease }
  const copy = speak(cast, who, { token: leader.revision, claimLeftMs: 3_000 })
  await expect(election.header).toContainText('Dual claim')
  await expect(election.sentence).toContainText(/worker-a and 1 other claim to lead with token [\d,]+ \(#1\)/)
  await expect(election.claims).toContainText('Restart all but one of them')
  await expect(election.claimOf('worker-a')).toHaveCount(2)
  await expect(election.claimOf('worker-a').first()).toContainText('Another instance claims the same token.')

  await elections.open('?q=claims')
  await expect(elections.sentence).toContainText('has two claimants')
  await expect(elections.cell('claims/twins', 'status')).toContainText('Dual claim')
  await expect(elections.cell('claims/twins', 'leader')).toContainText('2 instances claim')
  expect((await elections.names())[0]).toBe('claims/twins')
  await expect(elections.attention.getByRole('link').first()).toContainText(
    /2 instances called worker-a claim #1 with token [\d,]+ at once\./,
  )

  await copy.fallSilent()
  await expect(elections.cell('claims/twins', 'status')).toHaveText('Healthy')
  await election.open(cast.prefix)
  await expect(election.claims).toContainText('that claim has run out')
  await expect(election.claims).not.toContainText('Restart')
})

test('axe finds nothing where two claim', async ({ page, dashboard, actors, elections, election }) => {
  test.setTimeout(120_000)
  const cast = { actors, url: dashboard.url, prefix: '/elections/claims/axe' }
  const leader = await enter(cast, 'worker-a', true)
  speak(cast, { identity: 'worker-a', instance: 'a-copy', lease: leader.lease }, { token: leader.revision })
  await elections.open('?q=claims/axe')
  await expect(elections.cell('claims/axe', 'status')).toContainText('Dual claim')
  await expectAccessible(page)
  await election.open(cast.prefix)
  await expect(election.claims).toContainText('Restart all but one of them')
  await expectAccessible(page)
})

test('a former leader that goes on claiming is named with what to do, and is forgiven when it takes it back', async ({
  dashboard,
  actors,
  election,
  shell,
}) => {
  const cast = { actors, url: dashboard.url, prefix: '/elections/claims/former' }
  const former = await enter(cast, 'worker-a', true)
  const next = await enter(cast, 'worker-b', false)
  await election.open(cast.prefix)
  await expect(election.claimOf('worker-a')).toContainText('agrees')
  await shell.mark()

  await former.resign()
  await next.believe({ token: next.revision })
  await expect(election.header).toContainText('Dual claim')
  await expect(election.sentence).toContainText('is led by worker-b')
  await expect(election.sentence).toContainText('worker-a also claims to lead with token')
  await expect(election.claimOf('worker-a')).toContainText(
    /“I lead #1” with token [\d,]+ since .* etcd ended that term at/,
  )
  await expect(election.claimOf('worker-b')).toContainText('agrees: “I lead #2”')
  await expect(election.claims).toContainText(
    /Restart that process \(worker-a\); writes with token [\d,]+ are refused only by a resource that checks it\./,
  )

  await former.believe({ state: 'lost' })
  await election.open(cast.prefix)
  await expect(election.header).toContainText('No standby')
  await expect(election.claimOf('worker-a')).toContainText('agrees: “I am out of the queue”')
  await expect(election.claims).not.toContainText('Restart')
})

test('a handover of candidates that report never looks like a dual claim', async ({ dashboard, actors, elections }) => {
  const cast = { actors, url: dashboard.url, prefix: '/elections/claims/handover' }
  const first = await enter(cast, 'worker-a', true)
  const second = await enter(cast, 'worker-b', false)
  await elections.open('?q=claims/handover')
  await expect(elections.cell('claims/handover', 'leader')).toHaveText('worker-a')
  const words: string[] = []
  await elections.page.exposeFunction('sawStatus', (text: string) => words.push(text))
  await elections.page.evaluate(() => {
    const cell = document.querySelector('tbody tr td')
    const tell = () => (globalThis as unknown as { sawStatus(text: string): void }).sawStatus(cell?.textContent ?? '')
    if (cell) new MutationObserver(tell).observe(cell, { subtree: true, childList: true, characterData: true })
  })
  // Its last word before it resigned has not run out when the next one leads.
  await first.resign()
  await second.believe({ token: second.revision })
  await first.believe({ state: 'lost' })
  await expect(elections.cell('claims/handover', 'leader')).toHaveText('worker-b')
  await pause(4_000)
  expect(words.join(' ')).not.toContain('Dual claim')
})

test('renewals that the holder measured are drawn beside the probe’s', async ({ dashboard, actors, election }) => {
  const cast = { actors, url: dashboard.url, prefix: '/elections/claims/rtt' }
  const entrant = await actors.enter({ prefix: cast.prefix, value: 'worker-a' })
  await election.open(cast.prefix)
  await expect(election.leaderName).toHaveText('worker-a')
  await expect(election.charts).toContainText('no reports')
  await election.range('15 m').click()
  await expect(election.claims).toContainText('No candidate reports to Tenure')

  const speaker = { ...cast, identity: 'worker-a', lease: entrant.lease }
  const renewals = [0, 1_000, 2_000].map((ageMs) => ({ ageMs, rttMs: 40 }))
  const stop = AbortSignal.timeout(8_000)
  while (!stop.aborted) {
    const body = batchOf(reportOf(speaker, { token: entrant.revision, renewals }))
    expect((await postReports({ url: cast.url, token: REPORTS_TOKEN, body })).status).toBe(200)
    await pause(1_000)
  }
  await expect(election.rtt).toHaveAccessibleName(/holder worker-a at most 40 ms/)
  await expect(election.rtt).toHaveAccessibleName(/probe etcd-1 at most/)
  await expect(election.rtt).toContainText(/holder.*p50\s*40 ms.*p99\s*40 ms.*probe/s)
  // Solid in the leader's colour beside the probes' dashes.
  const colours = await election.rtt
    .locator('path.recharts-line-curve')
    .evaluateAll((paths) =>
      paths.map((path) => [path.getAttribute('stroke') ?? '', path.getAttribute('stroke-dasharray') ?? '']),
    )
  const solid = colours.filter(([stroke, dash]) => /^var\(--l[1-6]\)$/.test(stroke ?? '') && dash === '')
  expect(solid.length, JSON.stringify(colours)).toBeGreaterThanOrEqual(2)
  expect(colours.some(([stroke, dash]) => stroke === 'var(--t1)' && dash !== '')).toBe(true)
})

test('nothing moves while the same is reported again and again', async ({ page, dashboard, actors, election }) => {
  const cast = { actors, url: dashboard.url, prefix: '/elections/claims/still' }
  await enter(cast, 'worker-a', true)
  await enter(cast, 'worker-b', false)
  await election.open(cast.prefix)
  await expect(election.claimOf('worker-b')).toContainText('agrees')
  await expect(election.charts.getByRole('figure')).toHaveCount(4)
  await pause(1_500)
  const places = () =>
    page
      .locator('main :is(section, figure, li, h1, h2)')
      .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().top)))
  const before = await places()
  await pause(3_000)
  expect(await places()).toEqual(before)
})

test('on a phone the claims are read without scrolling sideways', async ({ dashboard, actors, openContext }) => {
  const cast = { actors, url: dashboard.url, prefix: '/elections/claims/phone' }
  const former = await enter(cast, 'worker-of-the-settlement-that-has-a-long-name', true)
  const next = await enter(cast, 'worker-b', false)
  const context = await openContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  await former.resign()
  await next.believe({ token: next.revision })
  await page.goto('/?q=claims/phone')
  const card = page.getByRole('list', { name: 'Elections' }).getByRole('link')
  await expect(card).toContainText('Dual claim')
  await expect(card).toContainText('still claims #1, an older token')
  await card.tap()
  await expect(page.getByRole('region', { name: 'Claim beside truth' })).toContainText('Restart that process')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
})

test.describe('while etcd cannot be seen', () => {
  test.use({ ownEtcd: true })
  test('claims are shown as unverified and decide about nothing @long', async ({
    page,
    dashboard,
    actors,
    etcd,
    election,
  }) => {
    const cast = { actors, url: dashboard.url, prefix: '/elections/claims/blind' }
    const leader = await enter(cast, 'worker-a', true)
    speak(cast, { identity: 'worker-a', instance: 'a-copy', lease: leader.lease }, { token: leader.revision })
    await election.open(cast.prefix)
    await expect(election.header).toContainText('Dual claim')
    for (const member of etcd.members) await member.kill()
    await expect(election.header).toContainText('Unknown')
    await expect(election.claimOf('worker-a').first()).toContainText('unverified: “I lead #1”, said')
    await expect(election.claims).toContainText('as it was seen last')
    await expect(election.claims).not.toContainText('Restart')
    await expectAccessible(page)
  })
})

test('the way in: a token, no browser of another site, and words for each refusal', async ({ dashboard, actors }) => {
  const entrant = await actors.enter({ prefix: '/elections/claims/door', value: 'worker-a' })
  const report = reportOf({ prefix: '/elections/claims/door', identity: 'worker-a', lease: entrant.lease })
  const url = dashboard.url
  const tried = async (body: string, more: Partial<Parameters<typeof postReports>[0]> = {}) =>
    postReports({ url, token: REPORTS_TOKEN, body, ...more })

  // Unknown until the watcher has seen the candidate that just entered.
  await expect.poll(() => tried(batchOf(report))).toEqual({ status: 200, body: { taken: 1, unknown: [] } })
  expect((await tried(batchOf(report), { token: 'guessed' })).status).toBe(401)
  expect((await tried(batchOf(report), { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  expect((await tried(batchOf(report), { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  expect((await tried(`${' '.repeat(1_100_000)}{}`)).status).toBe(413)
  expect((await tried(batchOf({ ...report, cluster: 'nowhere' }))).body).toMatchObject({
    error: 'reports.0.cluster: no cluster "nowhere" is configured: there is test',
  })
  expect((await fetch(`${url}/api/reports`)).status).toBe(405)
})
