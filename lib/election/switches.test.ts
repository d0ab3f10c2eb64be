import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { latin1, utf8 } from '../shared/bytes.ts'
import { scopeMatches } from './scopes.ts'
import { judgeSwitches, type StoredSwitch, type SwitchRecord } from './switches.ts'

const RECORD: SwitchRecord = {
  v: 1,
  state: 'engaged',
  reason: 'double payouts',
  by: 'm.ortega',
  at: '2026-03-12T02:41:07.120Z',
  until: '2026-03-12T03:30:00.000Z',
  nonce: 'n1',
  operation: 'op-1',
  match: 'prefix',
}

const stored = (scope: string, record: object | string = {}): StoredSwitch => ({
  scope,
  value: utf8(typeof record === 'string' ? record : JSON.stringify({ ...RECORD, ...record })),
})

describe('the scope of a record', () => {
  test.each<[string, SwitchRecord['match'], string, boolean]>([
    // Everything.
    ['', 'prefix', '/e/job/', true],
    ['', 'prefix', '', true],
    ['', 'exact', '/e/job/', false],
    ['', 'exact', '', true],
    // A folder, with and without its slash.
    ['/e/', 'prefix', '/e/job/', true],
    ['/e', 'prefix', '/e/job/', true],
    ['/e', 'prefix', '/elections/job/', false],
    ['/e/j', 'prefix', '/e/job/', false],
    ['/e/job', 'prefix', '/e/job/', true],
    ['/e/job/', 'prefix', '/e/job/', true],
    ['/e/job/', 'prefix', '/e/job', false],
    ['/e/job/', 'prefix', '/e/job/inner/', true],
    ['/e/job//', 'prefix', '/e/job/', false],
    ['/e/job/', 'prefix', '/e/job//', true],
    // One election only.
    ['/e/job/', 'exact', '/e/job/', true],
    ['/e/job/', 'exact', '/e/job/inner/', false],
    ['/e/job', 'exact', '/e/job/', false],
    // A single key is its own prefix.
    ['/service/db/leader', 'exact', '/service/db/leader', true],
    ['/service/db', 'prefix', '/service/db/leader', true],
    ['/service/db/leader', 'prefix', '/service/db/leader-2', false],
    // Bytes that are no text, and letters that differ by case alone.
    ['/legacy/\xff', 'prefix', '/legacy/\xff/\x01/', true],
    ['/legacy/\xff', 'prefix', '/legacy/\xff\x01/', false],
    ['/legacy/\x00/', 'prefix', '/legacy/\x00/', true],
    ['/E/', 'prefix', '/e/job/', false],
    // Below, never above.
    ['/e/job/', 'prefix', '/e/', false],
  ])('%j (%s) on %j: %s', (scope, match, prefix, expected) => {
    expect(scopeMatches(scope, match, prefix)).toBe(expected)
  })

  const bytes = fc
    .array(fc.constantFrom('/', 'a', 'b', '\xff', '\x00', '~'), { maxLength: 8 })
    .map((all) => all.join(''))

  test('matches itself, and with a slash everything below it', () => {
    fc.assert(
      fc.property(bytes, bytes, (scope, rest) => {
        expect(scopeMatches(scope, 'exact', scope)).toBe(true)
        expect(scopeMatches(scope, 'prefix', scope)).toBe(true)
        expect(scopeMatches(`${scope}/`, 'prefix', `${scope}/${rest}`)).toBe(true)
        expect(scopeMatches(scope, 'prefix', `${scope}/${rest}`)).toBe(true)
      }),
    )
  })

  test('of one election alone matches no other', () => {
    fc.assert(
      fc.property(bytes, bytes, (scope, prefix) => {
        expect(scopeMatches(scope, 'exact', prefix)).toBe(scope === prefix)
      }),
    )
  })

  test('never reaches beside a whole segment', () => {
    fc.assert(
      fc.property(bytes, bytes, (scope, prefix) => {
        if (!scopeMatches(scope, 'prefix', prefix) || scope === '' || scope === prefix) return
        const folder = scope.endsWith('/') ? scope : `${scope}/`
        expect(prefix.startsWith(folder)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the verdict on an election', () => {
  const PREFIX = '/e/job/'

  test('nothing applies: it may run, and nothing is armed', () => {
    expect(judgeSwitches(PREFIX, [stored('/other/')])).toEqual({
      stopped: false,
      armedBy: null,
      nonces: [],
      reason: '',
    })
  })

  test('engaged: stopped, with who and why', () => {
    const verdict = judgeSwitches(PREFIX, [stored('/e/')])
    expect(verdict).toEqual({
      stopped: true,
      armedBy: '/e/',
      nonces: ['n1'],
      reason: 'kill switch of /e/ engaged by m.ortega: double payouts',
    })
    expect(judgeSwitches(PREFIX, [stored('')]).reason).toContain('all elections')
  })

  test('released: not stopped, but armed', () => {
    const verdict = judgeSwitches(PREFIX, [stored(PREFIX, { state: 'released', match: 'exact' })])
    expect(verdict).toMatchObject({ stopped: false, armedBy: PREFIX })
  })

  test('one engaged among released ones stops, and each engaged one is acknowledged', () => {
    const all = [
      stored('', { state: 'released' }),
      stored('/e/', { nonce: 'n2' }),
      stored(PREFIX, { nonce: 'n3', match: 'exact' }),
    ]
    expect(judgeSwitches(PREFIX, all)).toMatchObject({ stopped: true, nonces: ['n2', 'n3'] })
  })

  test('passing its time releases nothing', () => {
    expect(judgeSwitches(PREFIX, [stored('/e/', { until: '2001-01-01T00:00:00.000Z' })]).stopped).toBe(true)
  })

  test.each<[string, StoredSwitch]>([
    ['no JSON', stored('/e/', '{"v":1,')],
    ['nothing', stored('/e/', '')],
    ['another version, released', stored('/e/', { v: 2, state: 'released' })],
    ['a version as text', stored('/e/', { v: '1', state: 'released' })],
    ['a state that is unknown', stored('/e/', { state: 'paused' })],
    ['a released one without a nonce', stored('/e/', { state: 'released', nonce: '' })],
    ['a released one of an unknown match', stored('/e/', { state: 'released', match: 'regex' })],
    ['bytes that are no text', { scope: '/e/', value: Uint8Array.from([0xff, 0xfe]) }],
  ])('%s counts as engaged, for everything below its scope', (_, record) => {
    const verdict = judgeSwitches(PREFIX, [record])
    expect(verdict).toMatchObject({ stopped: true, nonces: [] })
    expect(verdict.reason).toBe('the kill switch of /e/ cannot be read, which counts as engaged')
    expect(judgeSwitches('/other/', [record]).stopped).toBe(false)
  })

  test('a scope that is no text is named by its bytes', () => {
    const scope = latin1(Uint8Array.from([0x2f, 0xff, 0x2f]))
    expect(judgeSwitches('/\xff/job/', [stored(scope)]).reason).toContain('kill switch of /\\xff/ engaged')
  })

  test('any bytes at all in the value never let a candidate run that the scope covers', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (value) => {
        expect(judgeSwitches(PREFIX, [{ scope: '/e/', value }]).stopped).toBe(true)
      }),
    )
  })

  test('more records never turn a stop into a run', () => {
    const scope = fc.constantFrom('', '/e', '/e/', '/e/job/', '/x/')
    const record = fc.record({
      scope,
      state: fc.constantFrom('engaged' as const, 'released' as const),
      match: fc.constantFrom('exact' as const, 'prefix' as const),
      v: fc.constantFrom(1, 2),
    })
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), fc.array(record, { maxLength: 6 }), (some, more) => {
        const all = (records: typeof some) => records.map(({ scope, ...rest }) => stored(scope, rest))
        if (!judgeSwitches(PREFIX, all(some)).stopped) return
        expect(judgeSwitches(PREFIX, all([...some, ...more])).stopped).toBe(true)
        expect(judgeSwitches(PREFIX, all([...more, ...some])).stopped).toBe(true)
      }),
    )
  })
})
