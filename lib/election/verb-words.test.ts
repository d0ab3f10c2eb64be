import { expect, test } from 'vitest'
import { ACCOUNT_VERBS } from './account-verbs.ts'
import { VERBS } from './policy.ts'
import { deedWords, verbWords } from './verb-words.ts'

test('every verb that is recorded has words, and an unknown one is shown as it is', () => {
  const looking = ['see', 'notes', 'alerts', 'testChannel', 'manageUsers']
  for (const verb of [...ACCOUNT_VERBS, ...VERBS.filter((each) => !looking.includes(each))]) {
    expect(verbWords(verb), verb).not.toBe(verb)
  }
  expect(verbWords('teleport')).toBe('teleport')
  expect(verbWords('constructor')).toBe('constructor')
})

test('a release that waits for a second person releases nothing yet', () => {
  expect(deedWords({ verb: 'release', asked: { waits: true } })).toBe('Ask for release of kill switch')
  expect(deedWords({ verb: 'release', asked: {} })).toBe('Release kill switch')
})
