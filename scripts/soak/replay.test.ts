import { expect, test } from 'vitest'
import { gone, JOB, put, recorded, START_MS, story, truthOf } from './fixtures.ts'
import { holesIn, replay } from './replay.ts'

test('the oldest key leads; its token is its create revision, however late its term begins', () => {
  const { terms } = truthOf()
  expect(terms.map(({ token, key }) => [token, key])).toEqual([
    [2, '/elections/job/a'],
    [3, '/elections/job/b'],
    [5, '/elections/job/a'],
  ])
  expect(terms.map(({ fromMs, toMs }) => [fromMs - START_MS, toMs && toMs - START_MS])).toEqual([
    [0, 20_000],
    [20_000, 40_000],
    [40_000, null],
  ])
})

test('joins, leaves and proclaims are told apart', () => {
  expect(truthOf().events.map(({ type, revision }) => [type, revision])).toEqual([
    ['candidate-joined', 2],
    ['candidate-joined', 3],
    ['candidate-left', 4],
    ['candidate-joined', 5],
    ['candidate-left', 6],
    ['proclaimed', 7],
  ])
})

test('an older key of a nested election blocks the queue above it and leads its own', () => {
  const inner = { ...JOB, prefix: '/elections/job/inner/' }
  const revisions = recorded(
    [put('/elections/job/inner/x', 2)],
    [put('/elections/job/a', 3, '12')],
    [gone('/elections/job/inner/x', 2)],
  )
  const [outer, nested] = replay(revisions, [JOB, inner])
  expect(outer?.terms).toMatchObject([{ token: 3, fromMs: START_MS + 20_000, toMs: null }])
  expect(nested?.terms).toMatchObject([{ token: 2, fromMs: START_MS, toMs: START_MS + 20_000 }])
  expect(outer?.events.map(({ type }) => type)).toEqual(['candidate-joined'])
})

test('a single key leads from its creation to its end', () => {
  const seat = { layout: 'single-key', prefix: '/service/x/leader' } as const
  const revisions = recorded(
    [put('/service/x/leader', 2)],
    [gone('/service/x/leader', 2)],
    [put('/service/x/leader', 4, '12')],
    [put('/service/x/leader2', 5)],
  )
  expect(truthOf(revisions, seat).terms.map(({ token, toRevision }) => [token, toRevision])).toEqual([
    [2, 3],
    [4, null],
  ])
})

test('two keys of one lease that go in one revision show that the lease went', () => {
  const other = { ...JOB, prefix: '/elections/other/' }
  const both = [put('/elections/job/a', 2), put('/elections/other/a', 2)]
  const [job] = replay(recorded(both, [gone('/elections/job/a', 2), gone('/elections/other/a', 2)]), [JOB, other])
  expect(job?.terms).toMatchObject([{ leaseLevel: true }])
  expect(truthOf().terms[0]).toMatchObject({ leaseLevel: false })
})

test('missing revisions are named', () => {
  expect(holesIn(story())).toEqual([])
  expect(holesIn(story().filter(({ revision }) => revision !== 4 && revision !== 5))).toEqual([4, 5])
})
