import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instant } from '../shared/clock.ts'
import { compareDecimal } from '../shared/decimal.ts'
import type { ElectionChange, Fact, KeyPut } from './changes.ts'
import { revision } from './ids.ts'
import { leaderOf, nextUpOf } from './queue.ts'
import { openElection, reduceElection } from './reducer.ts'
import type { ElectionState, LeaseId, Term } from './types.ts'

const PREFIX = btoa('/e/job/')
const AT = Date.parse('2026-03-12T03:00:00Z')
const at = (s: number) => instant(AT + s * 1000)
const lease = (n: number) => n.toString(16) as LeaseId

function key(n: number, created: number, over: Partial<KeyPut> = {}): KeyPut {
  const name = `/e/job/${n.toString(16)}`
  return {
    key: name,
    keyBase64: btoa(name),
    identity: `worker-${n}`,
    valueBytes: 8,
    lease: lease(n),
    createRevision: revision(String(created)),
    modRevision: revision(String(created)),
    nested: false,
    ...over,
  }
}

function opened(keys: KeyPut[], live = false): Extract<ElectionChange, { type: 'opened' }> {
  return {
    type: 'opened',
    at: at(0),
    revision: revision('10'),
    live,
    layout: 'queue',
    prefix: '/e/job/',
    prefixBase64: PREFIX,
    confirmed: true,
    foundBy: 'test',
    epoch: 0,
    keys,
  }
}

const step = (n: number, puts: KeyPut[], deletes: KeyPut[] = []): ElectionChange => ({
  type: 'revision',
  at: at(n),
  revision: revision(String(n)),
  puts,
  deletes: deletes.map(({ keyBase64 }) => keyBase64),
})

function run(state: ElectionState, changes: readonly ElectionChange[]): { state: ElectionState; facts: Fact[] } {
  const facts: Fact[] = []
  let now = state
  for (const change of changes) {
    const reduced = reduceElection(now, change)
    now = reduced.state
    facts.push(...reduced.facts)
  }
  return { state: now, facts }
}

const types = (facts: readonly Fact[]) => facts.map(({ type }) => type)

describe('who leads', () => {
  test('the oldest key, whatever the order of its name', () => {
    const { state } = openElection(opened([key(1, 9), key(2, 5), key(3, 7)]))
    expect(state.term).toMatchObject({ ordinal: 1, token: '5', leader: { identity: 'worker-2' }, fromAtLeast: true })
    expect(state.candidates.map(({ identity }) => identity)).toEqual(['worker-2', 'worker-3', 'worker-1'])
  })

  test('revisions above 2^53 are told apart (RC-01)', () => {
    const a = key(1, 0, { createRevision: revision('9007199254740994') })
    const b = key(2, 0, { createRevision: revision('9007199254740993') })
    const c = key(3, 0, { createRevision: revision('9007199254740992') })
    expect(openElection(opened([a, b])).state.term?.token).toBe('9007199254740993')
    expect(openElection(opened([b, c])).state.term?.token).toBe('9007199254740992')
  })

  test('nobody while an older key of a nested election blocks (RC-03)', () => {
    const nested = key(1, 3, { nested: true, key: '/e/job/a/1', keyBase64: btoa('/e/job/a/1') })
    const { state } = openElection(opened([nested, key(2, 5)]))
    expect(state.term).toBeNull()
    const after = run(state, [step(11, [], [nested])])
    expect(after.state.term).toMatchObject({ ordinal: 1, token: '5', fromAtLeast: false })
    expect(types(after.facts)).toEqual(['term-started'])
  })

  test('an empty value is a leader', () => {
    expect(openElection(opened([key(1, 3, { identity: '', valueBytes: 0 })])).state.term?.leader.identity).toBe('')
  })
})

describe('terms', () => {
  test('a proclaim keeps the term and takes the new value along', () => {
    const { state } = openElection(opened([key(1, 3)]))
    const after = run(state, [step(11, [key(1, 3, { identity: 'new', modRevision: revision('11') })])])
    expect(after.state.term).toMatchObject({ ordinal: 1, token: '3', leader: { identity: 'new' } })
    expect(types(after.facts)).toEqual(['proclaimed'])
  })

  test('a value put by hand without a lease changes value and lease, and ends nothing (RC-04)', () => {
    const { state } = openElection(opened([key(1, 3, { identity: 'pg1' })]))
    const after = run(state, [step(11, [key(1, 3, { identity: 'pg2', lease: null, modRevision: revision('11') })])])
    expect(types(after.facts)).toEqual(['proclaimed', 'lease-changed'])
    expect(after.facts[0]).toMatchObject({ was: 'pg1', identity: 'pg2' })
    expect(after.state.term?.ordinal).toBe(1)
    expect(after.state.candidates[0]?.ttl).toBeNull()
  })

  test('the same identity under a new key is a new term (RC-14)', () => {
    const first = key(1, 3, { identity: 'localhost' })
    const second = key(2, 4, { identity: 'localhost' })
    const { state } = openElection(opened([first, second]))
    const after = run(state, [step(11, [], [first])])
    expect(after.state.term).toMatchObject({ ordinal: 2, token: '4', gapMs: 0 })
    expect(after.state.ended.at(-1)).toMatchObject({ ordinal: 1, to: at(11), endedBy: { cause: 'unobserved' } })
  })

  test('a vacancy is the next term’s gap', () => {
    const first = key(1, 3)
    const { state } = openElection(opened([first]))
    const gone = run(state, [step(11, [], [first])])
    expect(gone.state).toMatchObject({ term: null, leaderlessSince: at(11) })
    const back = run(gone.state, [step(14, [key(1, 14)])])
    expect(back.state.term).toMatchObject({ ordinal: 2, gapMs: 3000 })
  })

  test('the first proclaim after a change is the takeover', () => {
    const first = key(1, 3)
    const { state } = openElection(opened([first, key(2, 4)]))
    const after = run(state, [step(11, [], [first]), step(13, [key(2, 4, { modRevision: revision('13') })])])
    expect(after.state.term?.takeoverMs).toBe(2000)
  })

  test('keys of one lease going together prove nothing until the lease is looked up', () => {
    const { state } = openElection(opened([key(1, 3)]))
    const after = run(state, [step(11, [], [key(1, 3)])])
    expect(after.state.ended[0]?.endedBy?.cause).toBe('unobserved')
    expect(after.state.failovers).toEqual([])
  })

  test('what came late has an end and a beginning, but no exact times', () => {
    const { state } = openElection(opened([key(1, 3)]))
    const late = { late: true } as const
    const after = run(state, [
      { ...step(11, [], [key(1, 3)]), ...late } as ElectionChange,
      { ...step(12, [key(2, 12)]), ...late } as ElectionChange,
    ])
    expect(after.state.term).toMatchObject({ ordinal: 2, fromAtLeast: true, gapMs: null })
    expect(after.state.ended[0]?.endedBy?.evidence).toMatch(/not been looked up yet/)
  })

  test('an old key that a first candidate turns into a leader has led since no one knows when', () => {
    const old = key(1, 3, { key: '/e/job/plain', keyBase64: btoa('/e/job/plain'), lease: null })
    const { state } = openElection({ ...opened([old, key(2, 10)], true), revision: revision('10') })
    expect(state.term).toMatchObject({ token: '3', fromAtLeast: true })
    expect(state.candidates.map(({ sinceAtLeast }) => sinceAtLeast)).toEqual([true, false])
  })

  test('a term of another epoch is never carried on, whatever its token', () => {
    const first = openElection(opened([key(1, 3)])).state
    const seed = { lastOrdinal: 1, openTerm: first.term, ended: [], gaps: [], failovers: [] }
    const { state } = openElection({ ...opened([key(7, 3)]), epoch: 1, seed })
    expect(state.term).toMatchObject({ ordinal: 2, epoch: 1, token: '3', leader: { identity: 'worker-7' } })
    expect(state.ended[0]).toMatchObject({ epoch: 0, endedBy: { cause: 'unobserved' } })
  })

  test('nobody is next up, and nobody stands by, behind a nested key', () => {
    const nested = key(2, 4, { nested: true, key: '/e/job/a/2', keyBase64: btoa('/e/job/a/2') })
    const { state } = openElection(opened([key(1, 3), nested, key(3, 5)]))
    expect(nextUpOf(state.candidates)).toBeNull()
  })

  test('a cause that comes later counts the failover once and never replaces a known one', () => {
    const { state } = openElection(opened([key(1, 3)]))
    const cause = (text: 'lease lost' | 'resigned or removed'): ElectionChange => ({
      type: 'cause',
      token: revision('3'),
      endedBy: { cause: text, evidence: 'test' },
    })
    const after = run(state, [step(11, [], [key(1, 3)]), cause('lease lost'), cause('resigned or removed')])
    expect(after.state.ended[0]?.endedBy?.cause).toBe('lease lost')
    expect(after.state.failovers).toHaveLength(1)
    expect(types(after.facts)).toEqual(['candidate-left', 'term-ended', 'term-explained'])
  })

  test('a re-list with another leader says unobserved, and records the gap as changed', () => {
    const { state } = openElection(opened([key(1, 3)]))
    const gap = { from: at(10), to: at(20), reason: 'compacted' }
    const after = run(state, [{ type: 'relisted', at: at(20), revision: revision('20'), keys: [key(4, 18)], gap }])
    expect(after.state.term).toMatchObject({ ordinal: 2, token: '18', fromAtLeast: true, gapMs: null })
    expect(after.state.ended[0]?.endedBy?.cause).toBe('unobserved')
    expect(after.facts.at(-1)).toMatchObject({ type: 'gap', changed: true })
  })

  test('a re-list with the same token goes on with the term', () => {
    const { state } = openElection(opened([key(1, 3)]))
    const gap = { from: at(10), to: at(20), reason: 'compacted' }
    const after = run(state, [{ type: 'relisted', at: at(20), revision: revision('20'), keys: [key(1, 3)], gap }])
    expect(after.state.term?.ordinal).toBe(1)
    expect(after.facts.at(-1)).toMatchObject({ type: 'gap', changed: false })
  })
})

/** What a client may do to the keys under the prefix, as etcd would number it. */
type Act =
  | { do: 'campaign'; who: number }
  | { do: 'delete'; who: number }
  | { do: 'proclaim'; who: number }
  | { do: 'recreate'; who: number }
  | { do: 'lose'; who: readonly number[] }

const who = fc.integer({ min: 1, max: 6 })
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('campaign' as const), who }),
  fc.record({ do: fc.constant('delete' as const), who }),
  fc.record({ do: fc.constant('proclaim' as const), who }),
  fc.record({ do: fc.constant('recreate' as const), who }),
  fc.record({ do: fc.constant('lose' as const), who: fc.uniqueArray(who, { minLength: 1, maxLength: 4 }) }),
)

/** Runs acts against a model of etcd; each is one revision, and `keys` is the truth after it. */
function simulate(acts: readonly Act[]): { changes: ElectionChange[]; truth: Map<number, KeyPut>[] } {
  const store = new Map<number, KeyPut>()
  const changes: ElectionChange[] = []
  const truth: Map<number, KeyPut>[] = []
  let rev = 10
  for (const each of acts) {
    rev += 1
    const mod = revision(String(rev))
    const gone: KeyPut[] = []
    const puts: KeyPut[] = []
    for (const n of typeof each.who === 'number' ? [each.who] : each.who) {
      const there = store.get(n)
      if (each.do === 'campaign' && !there) puts.push(key(n, rev))
      else if (each.do === 'proclaim' && there) puts.push({ ...there, identity: `p${rev}`, modRevision: mod })
      else if (each.do === 'recreate' && there) puts.push(key(n, rev))
      else if ((each.do === 'delete' || each.do === 'lose') && there) gone.push(there)
    }
    for (const put of puts) store.set(Number.parseInt(put.key.slice('/e/job/'.length), 16), put)
    for (const { key: name } of gone) store.delete(Number.parseInt(name.slice('/e/job/'.length), 16))
    changes.push(step(rev, puts, gone))
    truth.push(new Map(store))
  }
  return { changes, truth }
}

const oldest = (keys: Iterable<KeyPut>) =>
  [...keys].sort((a, b) => compareDecimal(a.createRevision, b.createRevision))[0]?.createRevision

describe('for any sequence of what clients do', () => {
  const start = openElection(opened([])).state

  test('the leader is the lowest create revision of what is there, after every revision', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const { changes, truth } = simulate(acts)
        let state = start
        for (const [n, change] of changes.entries()) {
          state = reduceElection(state, change).state
          const expected = oldest(truth[n]?.values() ?? [])
          expect(leaderOf(state.candidates)?.createRevision).toBe(expected)
          expect(state.term?.token).toBe(expected)
        }
      }),
    )
  })

  test('terms are contiguous: numbered without holes, never overlapping, tokens strictly rising', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const { changes } = simulate(acts)
        const { facts } = run(start, changes)
        const begun = facts.flatMap((fact) => (fact.type === 'term-started' ? [fact.term] : []))
        const ended = facts.flatMap((fact) => (fact.type === 'term-ended' ? [fact.term] : []))
        for (const [n, term] of begun.entries()) {
          expect(term.ordinal).toBe(n + 1)
          const before: Term | undefined = ended[n - 1]
          if (n === 0) continue
          expect(before?.ordinal).toBe(n)
          expect((before?.to ?? '') <= term.from).toBe(true)
          expect(compareDecimal(term.token, before?.token ?? '0')).toBeGreaterThan(0)
        }
      }),
    )
  })

  test('cut anywhere and resumed from a snapshot, the end is the same; what comes twice does nothing', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), fc.nat(60), fc.nat(10), (acts, cut, back) => {
        const { changes } = simulate(acts)
        const whole = run(start, changes).state
        const snapshot = JSON.parse(JSON.stringify(run(start, changes.slice(0, cut)).state)) as ElectionState
        const resumed = run(snapshot, changes.slice(Math.max(0, Math.min(cut, changes.length) - back))).state
        expect(resumed).toEqual(whole)
      }),
    )
  })

  test('a re-list in the middle ends with the same leader and queue', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 1, maxLength: 60 }), fc.nat(59), fc.nat(20), (acts, from, length) => {
        const { changes, truth } = simulate(acts)
        const cut = Math.min(from, changes.length - 1)
        const seen = Math.min(cut + length, changes.length - 1)
        const before = run(start, changes.slice(0, cut)).state
        const gap = { from: at(cut), to: at(11 + seen), reason: 'test' }
        const relist: ElectionChange = {
          type: 'relisted',
          at: at(11 + seen),
          revision: revision(String(11 + seen)),
          keys: [...(truth[seen]?.values() ?? [])],
          gap,
        }
        const after = run(before, [relist, ...changes.slice(seen + 1)]).state
        const whole = run(start, changes).state
        expect(after.term?.token).toBe(whole.term?.token)
        expect(after.candidates.map(({ keyBase64 }) => keyBase64)).toEqual(
          whole.candidates.map(({ keyBase64 }) => keyBase64),
        )
      }),
    )
  })
})

describe('a key that an enforced stop holds', () => {
  const A = key(1, 11)
  const B = key(2, 12)
  const held = (put: KeyPut, mod: number, over: Partial<KeyPut> = {}): KeyPut => ({
    ...put,
    lease: null,
    modRevision: revision(String(mod)),
    valueBytes: 90,
    held: { by: 'ann', nonce: 'n1' },
    ...over,
  })
  const led = () => run(openElection(opened([])).state, [step(11, [A]), step(12, [B])]).state

  test('ends the term by the kill switch, leads nothing, and starts no term', () => {
    const { state, facts } = run(led(), [step(20, [held(A, 20)])])
    expect([leaderOf(state.candidates), state.term, nextUpOf(state.candidates)?.identity]).toEqual([
      null,
      null,
      'worker-2',
    ])
    expect(state.ended.at(-1)?.endedBy).toEqual({
      cause: 'kill switch',
      by: 'ann',
      evidence: 'its key was put again without a lease at revision 20, by an enforced stop',
    })
    expect(state.failovers).toEqual([])
    expect(facts.map(({ type }) => type)).toEqual(['candidate-left', 'term-ended'])
  })

  test('lets the next one begin a term when it is let go', () => {
    const { state, facts } = run(led(), [step(20, [held(A, 20)]), step(30, [], [A])])
    expect(state.term).toMatchObject({ ordinal: 2, token: '12', gapMs: 10_000 })
    expect(facts.map(({ type }) => type)).toEqual(['candidate-left', 'term-ended', 'term-started'])
  })

  test('that its former leader puts again is the same term, not another one of the same token', () => {
    const { state } = run(led(), [step(20, [held(A, 20)]), step(21, [{ ...A, modRevision: revision('21') }])])
    expect(state.term).toMatchObject({ ordinal: 1, token: '11', to: null, endedBy: null })
    expect(state.ended).toEqual([])
    const again = run(state, [step(22, [held(A, 22)])]).state
    expect(again.ended.map(({ ordinal, endedBy }) => [ordinal, endedBy?.cause])).toEqual([[1, 'kill switch']])
  })

  test('of an empty seat competes for nothing, and keeps newcomers from leading', () => {
    const empty = run(led(), [step(15, [], [A, B])]).state
    const halt = held(key(9, 20, { identity: '' }), 20)
    const { state, facts } = run(empty, [step(20, [halt]), step(21, [key(3, 21)])])
    expect([state.term, nextUpOf(state.candidates)?.identity]).toEqual([null, 'worker-3'])
    expect(facts.map(({ type }) => type)).toEqual(['candidate-joined'])
    expect(run(state, [step(22, [], [halt])]).state.term?.token).toBe('21')
  })

  test('makes no election of a mutex, and explains no end that it did not cause', () => {
    const mutex = [key(1, 11, { valueBytes: 0 }), key(2, 12, { valueBytes: 0 })] as const
    const { state } = run(openElection(opened([])).state, [step(11, [mutex[0]]), step(12, [mutex[1]])])
    expect(run(state, [step(20, [held(mutex[0], 20)])]).state.valuesEmpty).toBe(true)
    const gone = run(led(), [step(20, [held(key(9, 20), 20)], [A, B])]).state
    expect(gone.ended.at(-1)?.endedBy).toMatchObject({ cause: 'unobserved' })
  })

  test('what happens during a stop is no failover, whatever its cause', () => {
    const { state } = run(led(), [
      step(20, [], [A]),
      { type: 'cause', token: revision('11'), endedBy: { cause: 'lease lost', evidence: 'gone', duringStop: true } },
    ])
    expect(state.failovers).toEqual([])
    expect(state.ended.at(-1)?.endedBy?.cause).toBe('lease lost')
  })
})
