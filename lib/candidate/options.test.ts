import { describe, expect, it, vi } from 'vitest'
import { FakeEtcd } from '../etcd/fake-etcd.ts'
import { systemTimeline } from '../etcd/virtual-time.ts'
import { CandidateOptionsError } from './errors.ts'
import { type CandidateOptions, settingsOf } from './options.ts'

const etcd = new FakeEtcd(systemTimeline).client('a')
const made = (changes: Partial<CandidateOptions> = {}) =>
  settingsOf({ etcd, election: 'job', identity: 'host-1', ...changes })
/** As a caller without types may write it. */
const untyped = (changes: object) => changes as Partial<CandidateOptions>

it('follows from the TTL what is not given', () => {
  const { ttlSeconds, timing, layout, onMissingSwitch, minEpoch, metaPrefix, reports } = made()
  expect(timing(ttlSeconds * 1_000)).toEqual({
    ttlMs: 15_000,
    renewEveryMs: 5_000,
    deadlineMs: 10_000,
    drainMs: 15_000,
    callMs: 2_000,
  })
  expect([layout, onMissingSwitch, minEpoch, metaPrefix, reports]).toEqual(['queue', 'run', 0, '/tenure/', null])
})

it('follows the TTL that was granted, which may be longer', () => {
  const { timing } = made({ ttlSeconds: 1 })
  expect(timing(2_000)).toMatchObject({ ttlMs: 2_000, renewEveryMs: 666, deadlineMs: 1_333, callMs: 333 })
})

it('refuses a granted TTL that does not suit what was given', () => {
  const { timing } = made({ ttlSeconds: 5, renewEveryMs: 1_000, deadlineMs: 4_000, marginMs: 600 })
  expect(timing(5_000).deadlineMs).toBe(4_000)
  expect(() => timing(9_000)).toThrow('marginMs is 600: give at least a tenth of the TTL, 900')
})

describe('each bound', () => {
  it.each<[string, Partial<CandidateOptions>, Partial<CandidateOptions>, string]>([
    ['ttlSeconds', { ttlSeconds: 1 }, { ttlSeconds: 0 }, 'ttlSeconds is 0: give a whole number from 1 to 86400'],
    ['ttlSeconds at most', { ttlSeconds: 86_400 }, { ttlSeconds: 86_401 }, 'ttlSeconds is 86401'],
    ['ttlSeconds whole', { ttlSeconds: 2 }, { ttlSeconds: 1.5 }, 'ttlSeconds is 1.5'],
    ['ttlSeconds a number', { ttlSeconds: 2 }, { ttlSeconds: Number.NaN }, 'ttlSeconds is NaN'],
    ['ttlSeconds no text', { ttlSeconds: 2 }, untyped({ ttlSeconds: '2' }), 'ttlSeconds is "2"'],
    ['renewEveryMs', { renewEveryMs: 100 }, { renewEveryMs: 99 }, 'renewEveryMs is 99: give a whole number from 100'],
    [
      'renewEveryMs below deadlineMs',
      { renewEveryMs: 3_999, deadlineMs: 4_000 },
      { renewEveryMs: 4_000, deadlineMs: 4_000 },
      'renewEveryMs is 4000: it must be below deadlineMs, which is 4000',
    ],
    [
      'deadlineMs below the TTL less marginMs',
      { deadlineMs: 12_999, marginMs: 2_000 },
      { deadlineMs: 13_000, marginMs: 2_000 },
      'deadlineMs is 13000: it must be below the TTL less marginMs, which is 13000',
    ],
    ['marginMs', { marginMs: 1_500 }, { marginMs: 1_499 }, 'marginMs is 1499: give at least a tenth of the TTL, 1500'],
    ['drainMs', { drainMs: 0 }, { drainMs: -1 }, 'drainMs is -1: give a whole number from 0'],
    ['minEpoch', { minEpoch: 0 }, { minEpoch: -1 }, 'minEpoch is -1: give a whole number from 0'],
    ['identity', { identity: 'a' }, { identity: '' }, 'identity is empty or no text'],
    [
      'identity at most',
      { identity: 'a'.repeat(1_000) },
      { identity: 'a'.repeat(1_001) },
      'identity has 1001 characters',
    ],
    ['election', { election: 'a' }, { election: '' }, 'election is empty'],
    ['election as bytes', { election: Uint8Array.of(0) }, { election: new Uint8Array() }, 'election is empty'],
    ['etcd', { etcd }, untyped({ etcd: undefined }), 'etcd is missing'],
    ['metaPrefix', { metaPrefix: '/ops/' }, { metaPrefix: '/ops' }, 'metaPrefix is "/ops": it must end with "/"'],
    ['metaPrefix is text', {}, untyped({ metaPrefix: 5 }), 'metaPrefix is 5'],
    [
      'an election of which the queue would hold what Tenure keeps',
      { election: '/tenured' },
      { election: '/tenure' },
      'election /tenure/ lies in metaPrefix /tenure/',
    ],
    [
      'a queue around metaPrefix',
      { election: 'a', metaPrefix: 'ab/meta/' },
      { election: 'a', metaPrefix: 'a/meta/' },
      'election a/ holds metaPrefix a/meta/',
    ],
    [
      'a single key that would be read as the epoch',
      { layout: 'single-key', election: '/tenure-epoch' },
      { layout: 'single-key', election: '/tenure/epoch' },
      'election /tenure/epoch lies in metaPrefix /tenure/',
    ],
    ['drainMs that a timer can wait', { drainMs: 2_147_000_000 }, { drainMs: 2_592_000_000 }, 'drainMs is 2592000000'],
    ['election is a name', {}, untyped({ election: 5 }), 'election is no name'],
    ['etcd is a client', {}, untyped({ etcd: 'http://127.0.0.1:2379' }), 'etcd is missing'],
    ['layout', { layout: 'single-key' }, untyped({ layout: 'single' }), 'layout is "single": give queue or single-key'],
    ['onMissingSwitch', { onMissingSwitch: 'halt' }, untyped({ onMissingSwitch: 'Halt' }), 'onMissingSwitch is "Halt"'],
  ])('%s', (_, good, bad, words) => {
    expect(() => made(good)).not.toThrow()
    expect(() => made(bad)).toThrow(CandidateOptionsError)
    expect(() => made(bad)).toThrow(words)
  })

  it.each([
    [{ url: 'not a url' }, 'reports.url is "not a url"'],
    [{ url: 'localhost:3000/api/reports' }, 'reports.url is "localhost:3000/api/reports": give an http or https'],
    [{ token: '' }, 'reports.token is empty'],
    [{ cluster: '' }, 'reports.cluster is empty'],
  ])('reports %j', (bad, words) => {
    const good = { url: 'https://tenure.example/api/reports', token: 't', cluster: 'main' }
    expect(made({ reports: good }).reports).toEqual(good)
    expect(() => made({ reports: { ...good, ...bad } })).toThrow(words)
  })
})

it('takes no reports for none, and no options for an error of its own', () => {
  expect(made(untyped({ reports: null })).reports).toBeNull()
  expect(() => settingsOf(undefined as never)).toThrow('options are missing: give etcd, election and identity')
})

it('names a queue as Go does, and takes a single key as it is', () => {
  expect(made().prefix).toBe('job/')
  expect(made({ election: 'job/' }).prefix).toBe('job//')
  expect(made({ layout: 'single-key' }).prefix).toBe('job')
  expect(made({ election: Uint8Array.of(0xff, 0x2f) }).prefix).toBe('\u00ff//')
  expect(made({ election: 'é' }).prefix).toBe('\u00c3\u00a9/')
})

it('lets an onTrouble that throws end nothing', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const { trouble } = made({
    onTrouble: () => {
      throw new Error('the log is full')
    },
  })
  expect(() => trouble(new Error('etcd is away'))).not.toThrow()
  expect(warned).toHaveBeenCalledWith('onTrouble threw: Error: the log is full', { type: 'TenureWarning' })
  warned.mockRestore()
})
