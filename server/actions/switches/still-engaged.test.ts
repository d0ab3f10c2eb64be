import { expect, test } from 'vitest'
import type { StandingSwitch, SwitchMatch } from '../../../lib/election/scopes.ts'
import { base64FromLatin1 } from '../../../lib/shared/bytes.ts'
import { stillWords } from './still-engaged.ts'

const at = (scope: string, match: SwitchMatch = 'prefix', state: StandingSwitch['state'] = 'engaged') =>
  ({ scope, scopeBase64: base64FromLatin1(scope), match, state, record: null }) satisfies StandingSwitch
const named = ({ scope, match }: StandingSwitch) => (match === 'prefix' ? `${scope} and below` : scope)
const LEAD = 'Candidates may lead again.'

test.each<[string, SwitchMatch, StandingSwitch[], string]>([
  ['nothing else', 'exact', [at('/e/w1/'), at('/x/')], LEAD],
  ['one that was released', 'exact', [at('/e/', 'prefix', 'released')], LEAD],
  ['one of another election alone', 'exact', [at('/e/', 'exact'), at('/e/w1/kid/')], LEAD],
  ['one of everything around it', 'exact', [at('/e/')], '/e/ and below is still engaged: nobody leads there yet.'],
  [
    'one that cannot be read',
    'exact',
    [at('', 'prefix', 'unreadable')],
    ' and below is still engaged: nobody leads there yet.',
  ],
  [
    'one within it',
    'prefix',
    [at('/e/w1/kid/', 'exact')],
    `${LEAD} /e/w1/kid/ is still engaged: nobody leads there yet.`,
  ],
  [
    'many within it',
    'prefix',
    ['a', 'b', 'c', 'd'].map((name) => at(`/e/w1/${name}/`, 'exact')),
    `${LEAD} /e/w1/a/, /e/w1/b/, /e/w1/c/ and 1 more are still engaged: nobody leads there yet.`,
  ],
])('a release beside %s', (_name, match, others, words) => {
  expect(stillWords('/e/w1/', match, others, named)).toBe(words)
})
