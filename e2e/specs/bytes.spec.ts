import { electionPath } from '../pages/election-page.ts'
import { expect, test } from './support/test.ts'
import { truthOf } from './support/truth.ts'

const named = (byte: number) => Buffer.concat([Buffer.from('/elections/rc02/'), Buffer.from([byte])])

test('names that differ in one invalid byte are two elections, by list, link, reload and bookmark', async ({
  page,
  actors,
  elections,
  election,
  openContext,
}) => {
  await actors.enter({ prefix: named(0xff), value: 'holds-ff' })
  await actors.enter({ prefix: named(0xfe), value: 'holds-fe' })
  // The four letters \xff are text, not a byte.
  await actors.enter({ prefix: '/elections/rc02/\\xff', value: 'holds-text' })
  await elections.open('?q=rc02')
  await expect(elections.cell('rc02/\\xff', 'leader')).toHaveText('holds-ff')
  await expect(elections.cell('rc02/\\xfe', 'leader')).toHaveText('holds-fe')
  await expect(elections.cell('rc02/\\\\xff', 'leader')).toHaveText('holds-text')

  await elections.link('rc02/\\xfe').click()
  await expect(election.heading).toHaveText('\\xfe')
  await expect(election.leaderName).toHaveText('holds-fe')
  await page.reload()
  await expect(election.leaderName).toHaveText('holds-fe')
  await expect(page).toHaveTitle('rc02/\\xfe · Tenure')

  const bookmark = await (await openContext()).newPage()
  await bookmark.goto(electionPath('test', 'queue', Buffer.concat([named(0xff), Buffer.from('/')])))
  await expect(bookmark.getByRole('heading', { name: 'holds-ff' })).toBeVisible()
})

test('an empty value leads as "(empty)", a JSON value keeps its digits', async ({ actors, elections, election }) => {
  await actors.enter({ prefix: '/elections/values/empty', value: '' })
  await actors.enter({ prefix: '/elections/values/empty', value: 'named' })
  await actors.enter({ prefix: '/elections/values/json', value: '{"leader":"a","n":9007199254740993}' })
  await actors.enter({ prefix: '/elections/values/broken', value: '{' })
  await elections.open('?q=values/')
  await expect(elections.cell('values/empty', 'leader')).toHaveText('(empty)')
  await expect(elections.cell('values/empty', 'status')).toContainText('Healthy')
  await expect(elections.cell('values/json', 'leader')).toHaveText('{"leader":"a","n":9007199254740993}')
  await expect(elections.cell('values/broken', 'leader')).toHaveText('{')
  await elections.link('values/empty').click()
  await expect(election.leaderName).toHaveText('(empty)')
  await expect(election.sentence).toContainText('is led by (empty)')
})

test('a value of a mebibyte shows its size, and comes whole only when asked for', async ({
  page,
  request,
  actors,
  elections,
  election,
}) => {
  const mebibyte = 1024 * 1024
  const prefix = '/elections/values/large'
  await elections.open('?q=values/large')
  await actors.enter({ prefix, value: Buffer.alloc(mebibyte, 'x') })
  const leader = elections.cell('values/large', 'leader')
  await expect(leader).toHaveText(/^x{100,200}…$/)
  const truth = await truthOf(page, `${prefix}/`)
  expect(JSON.stringify(truth).length).toBeLessThan(5_000)

  const answers: number[] = []
  page.on('response', async (answer) => {
    if (answer.url().includes('elections.value')) answers.push((await answer.body()).length)
  })
  await elections.link('values/large').click()
  await expect(election.leader).toContainText('Value: 1.0 MB')
  expect(answers).toEqual([])
  await election.leader.getByRole('button', { name: 'Show whole value' }).click()
  await expect(election.leader.locator('pre')).toHaveText(/^x{20000}$/)
  await expect(election.leader).toContainText('First 20,000 characters; Copy takes all.')
  await expect.poll(() => answers.length).toBe(1)
  expect(answers[0]).toBeGreaterThan(mebibyte)

  // What the stream tells a newcomer stays small.
  const snapshot = await request.get('/api/trpc/elections.list')
  expect((await snapshot.body()).length).toBeLessThan(mebibyte)
})
