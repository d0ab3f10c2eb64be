import { describe, expect, test } from 'vitest'
import { engaged, released } from '../../../lib/election/switch-changes.ts'
import type { HeldMark, SwitchRecord } from '../../../lib/election/switches.ts'
import { enforcedOn, fateOf, releaseOf, type Standing } from './hold-rules.ts'

const doing = { at: '2026-03-12T03:00:00.000Z', by: 'Ann', operation: 'op-1', reason: 'bad data' }
const record = (nonce: string, over: Partial<SwitchRecord> = {}): SwitchRecord => ({
  ...engaged(null, doing, { until: '2026-03-12T04:00:00.000Z', mode: 'enforced', match: 'prefix', nonce }),
  ...over,
})
const letGoOf = (nonce: string) => released(record(nonce), { ...doing, operation: `release of ${nonce}` }, null)
const at = (scope: string, given: SwitchRecord | null): Standing => ({ scope, record: given })
const held = (nonce: string, operation = 'op-9'): HeldMark => ({
  nonce,
  operation,
  by: 'Ann',
  layout: 'queue',
  lease: null,
  identity: '',
  library: false,
})
const P = '/e/job/'

describe('an election is held', () => {
  test.each<[string, Standing[], string | undefined]>([
    ['by an enforced stop of it', [at('/e/', record('n1'))], 'n1'],
    ['by the narrowest of several', [at('', record('all')), at(P, record('own')), at('/e/', record('e'))], 'own'],
    ['not by a cooperative one', [at('/e/', record('n1', { mode: 'cooperative' }))], undefined],
    ['not by one of an older writer', [at('/e/', record('n1', { mode: undefined }))], undefined],
    ['not by a released one', [at('/e/', letGoOf('n1'))], undefined],
    [
      'not by one of another election',
      [at('/x/', record('n1')), at('/e/', record('n1', { match: 'exact' }))],
      undefined,
    ],
    ['not by one that cannot be read: nobody chose to enforce it', [at('/e/', null)], undefined],
  ])('%s', (_name, standing, nonce) => {
    expect(enforcedOn(standing, P)?.nonce).toBe(nonce)
  })
})

describe('a held key', () => {
  test.each<[string, Standing[], HeldMark, ReturnType<typeof fateOf>]>([
    ['stays while its stop stands', [at('/e/', record('n1'))], held('n1'), 'keep'],
    ['stays while another enforced stop stands', [at('/e/', letGoOf('n1')), at('', record('n2'))], held('n1'), 'keep'],
    ['stays while a record cannot be read', [at('/e/', letGoOf('n1')), at(P, null)], held('n1'), 'keep'],
    ['goes when its stop was released', [at('/e/', letGoOf('n1'))], held('n1'), 'let go'],
    [
      'goes when the operation that held it was released with it',
      [at('/e/', letGoOf('n2'))],
      held('n1', 'op-1'),
      'let go',
    ],
    [
      'goes although a cooperative stop stands',
      [at('/e/', letGoOf('n1')), at('', record('n2', { mode: 'cooperative' }))],
      held('n1'),
      'let go',
    ],
    [
      'stands with the record that was written with it by hand',
      [at('/e/', record('n1', { mode: undefined, operation: 'n1' }))],
      held('n1', ''),
      'stands',
    ],
    ['goes when the stop it was held for by hand is released', [at('/e/', letGoOf('n1'))], held('n1', ''), 'let go'],
    ['is an orphan without a record', [], held('n1'), 'orphan'],
    ['is an orphan beside the record of another stop', [at('/e/', letGoOf('n2'))], held('n1'), 'orphan'],
    ['is an orphan when only other elections are stopped', [at('/x/', record('n1'))], held('n1'), 'orphan'],
  ])('%s', (_name, standing, mark, fate) => {
    expect(fateOf(standing, P, mark)).toBe(fate)
  })
})

test('only the release of its own stop lets a held key go', () => {
  const own = letGoOf('n1')
  expect(releaseOf([at('/e/', letGoOf('n2')), at('', own)], P, held('n1'))).toBe(own)
  expect(releaseOf([at('/e/', letGoOf('n2'))], P, held('n1'))).toBeNull()
  expect(releaseOf([at('/e/', record('n1'))], P, held('n1'))).toBeNull()
})
