import { expect, test } from 'vitest'
import { scopeChoices } from './switch-scopes.ts'

const cluster = (...watched: string[]) => ({
  name: 'prod-eu',
  watched: watched.map((prefix) => ({ prefix, prefixBase64: btoa(prefix) })),
})
const labels = (prefix: string | null, ...watched: string[]) =>
  scopeChoices(prefix === null ? null : btoa(prefix), cluster(...watched)).map(({ label }) => label)

test('an election, its parents as far up as they are watched, and the cluster', () => {
  expect(labels('/elections/payments/ledger/', '/elections/')).toEqual([
    'This election',
    'Everything under /elections/payments/',
    'Everything under /elections/',
    'All of prod-eu',
  ])
  expect(labels('/service/db/leader', '/service/')).toEqual([
    'This election',
    'Everything under /service/db/',
    'Everything under /service/',
    'All of prod-eu',
  ])
})

test('a prefix that ends in two slashes has the shorter one for a parent', () => {
  expect(labels('/e/job//', '/e/')).toContain('Everything under /e/job/')
})

test('a name without slashes has no parent', () => {
  expect(labels('nest', 'nest')).toEqual(['This election', 'All of prod-eu'])
})

test('without an election in sight: what is watched, and the cluster', () => {
  expect(labels(null, '/elections/', '/service/')).toEqual([
    'Everything under /elections/',
    'Everything under /service/',
    'All of prod-eu',
  ])
})

test('this election is an exact scope, so that what lies below it is not stopped', () => {
  expect(scopeChoices(btoa('/e/job/'), cluster('/e/'))[0]).toMatchObject({
    match: 'exact',
    scopeBase64: btoa('/e/job/'),
  })
})
