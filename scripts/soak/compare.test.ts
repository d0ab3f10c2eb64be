import { describe, expect, test } from 'vitest'
import { compare } from './compare.ts'
import { faithful, granted, START_MS, truthOf } from './fixtures.ts'
import { type Deed, TOLERANCE, type Told, type Truth } from './model.ts'

const truth = truthOf()
const at = (seconds: number) => START_MS + seconds * 1_000
const gap = (from: number, to: number) => ({ fromMs: at(from), toMs: at(to), reason: 'cut off' })

function judge(told: Told, deeds: Deed[] = [], truths: Truth[] = [truth]) {
  const { counts, differences } = compare({ truths, told: [told], deeds }, TOLERANCE)
  return { counts, kinds: differences.map(({ kind }) => kind), differences }
}

function doctored(change: (told: Told) => void, gaps: Told['gaps'] = []) {
  const told = faithful(truth, gaps)
  change(told)
  return judge(told)
}

const term = (told: Told, index: number) => told.terms[index] as Told['terms'][number]

test('the truth passes, and is counted', () => {
  const { kinds, counts } = judge(faithful(truth))
  expect(kinds).toEqual([])
  expect(counts).toMatchObject({ trueTerms: 3, exact: 3, edge: 0, unseen: 0, trueEvents: 6, eventsTold: 6 })
})

describe('times', () => {
  test('a second and a half late passes, three and a half does not', () => {
    const late = (ms: number) =>
      doctored((told) => {
        term(told, 0).toMs = at(20) + ms
        term(told, 1).fromMs = at(20) + ms
      })
    expect(late(1_500).kinds).toEqual([])
    expect(late(3_500).kinds).toEqual(['wrong time', 'wrong time'])
  })

  test('a late end passes when the true end lies in a declared gap that lasts until the told one', () => {
    const change = (told: Told) => {
      term(told, 0).toMs = at(26)
      term(told, 1).fromMs = at(26)
    }
    expect(doctored(change, [gap(18, 26)])).toMatchObject({ kinds: [], counts: { exact: 1, edge: 2 } })
    expect(doctored(change, [gap(23, 26)]).kinds).toEqual(['wrong time', 'wrong time'])
    expect(doctored(change, [gap(15, 21)]).kinds).toEqual(['wrong time', 'wrong time'])
  })
})

describe('terms', () => {
  const withoutSecond = (told: Told) => {
    told.terms.splice(1, 1)
    term(told, 1).ordinal = 2
  }

  test('a term that is missing is a lie, unless all of it lies in one gap', () => {
    expect(doctored(withoutSecond).kinds).toEqual(['missing term'])
    expect(doctored(withoutSecond, [gap(19.5, 40.5)])).toMatchObject({ kinds: [], counts: { unseen: 1 } })
    expect(doctored(withoutSecond, [gap(19.5, 35)]).kinds).toEqual(['missing term'])
    expect(doctored(withoutSecond, [gap(25, 45)]).kinds).toEqual(['missing term'])
  })

  test('a term that never was is a lie, also in a gap', () => {
    const invent = (told: Told) => {
      told.terms.splice(1, 0, { ...term(told, 0), token: 2.5, ordinal: 2, fromMs: at(20), toMs: at(20) })
      for (const [index, each] of told.terms.entries()) each.ordinal = index + 1
    }
    expect(doctored(invent).kinds).toContain('invented term')
    expect(doctored(invent, [gap(0, 60)]).kinds).toContain('invented term')
  })

  test('an election that never was is a lie', () => {
    const other = { ...faithful(truth), seat: { layout: 'queue', prefix: '/elections/ghost/' } } as const
    const { differences } = compare({ truths: [truth], told: [faithful(truth), other], deeds: [] }, TOLERANCE)
    expect(differences.map(({ kind }) => kind)).toEqual(['invented election'])
  })

  test('an ended term told as open, an open one told as ended, another key', () => {
    expect(doctored((told) => Object.assign(term(told, 0), { toMs: null })).kinds).toContain('wrong end')
    expect(doctored((told) => Object.assign(term(told, 2), { toMs: at(50) })).kinds).toEqual(['wrong end'])
    expect(doctored((told) => Object.assign(term(told, 1), { key: '/elections/job/c' })).kinds).toEqual(['wrong key'])
  })

  test('terms out of order, ordinals that skip, terms that overlap, another epoch', () => {
    expect(doctored((told) => void told.terms.reverse()).kinds).toContain('wrong order')
    expect(doctored((told) => Object.assign(term(told, 2), { ordinal: 4 })).kinds).toEqual(['wrong order'])
    expect(doctored((told) => Object.assign(term(told, 0), { toMs: at(21) })).kinds).toEqual(['wrong order'])
    expect(doctored((told) => Object.assign(term(told, 1), { epoch: 1 })).kinds).toEqual(['epoch'])
  })
})

describe('causes', () => {
  const causeOf = (cause: string, deeds: Deed[]) => {
    const told = faithful(truth)
    Object.assign(term(told, 0), { cause })
    return judge(told, deeds).kinds
  }
  const deleted: Deed = { type: 'deleted', key: '/elections/job/a', lease: '11', revision: 4, atMs: at(20) }
  const alive = (seconds: number): Deed => ({ type: 'alive', lease: '11', atMs: at(seconds) })

  test('a lease that nobody deleted a key of was lost: never "resigned or removed"', () => {
    expect(causeOf('resigned or removed', [granted('11')])).toEqual(['wrong cause'])
    expect(causeOf('lease lost', [granted('11')])).toEqual([])
    expect(causeOf('unobserved', [granted('11')])).toEqual([])
  })

  test('a deleted key whose lease lived on: never "lease lost"', () => {
    expect(causeOf('lease lost', [granted('11'), deleted, alive(26)])).toEqual(['wrong cause'])
    expect(causeOf('resigned or removed', [granted('11'), deleted, alive(26)])).toEqual([])
  })

  test('a deleted key whose lease may have gone right after: both may be said', () => {
    expect(causeOf('lease lost', [granted('11'), deleted, alive(21)])).toEqual([])
    expect(causeOf('resigned or removed', [granted('11'), deleted])).toEqual([])
  })

  test('a revoked lease did not expire', () => {
    const revoked: Deed = { type: 'revoke-sent', lease: '11', atMs: at(20) }
    expect(causeOf('expired', [granted('11'), revoked])).toEqual(['wrong cause'])
    expect(causeOf('lease lost', [granted('11'), revoked])).toEqual([])
    expect(causeOf('expired', [granted('11')])).toEqual([])
  })

  test('a killed etcdctl did not resign; of one that was not killed nothing is known', () => {
    const killed: Deed = { type: 'killed', identity: 'value of /elections/job/a', atMs: at(5) }
    expect(causeOf('resigned or removed', [killed])).toEqual(['wrong cause'])
    expect(causeOf('resigned or removed', [])).toEqual([])
    expect(causeOf('kill switch', [])).toEqual(['wrong cause'])
  })

  test('a delete that was not answered leaves it open', () => {
    const unanswered: Deed = { type: 'delete-unanswered', key: '/elections/job/a', lease: '11', atMs: at(20) }
    expect(causeOf('resigned or removed', [granted('11'), unanswered])).toEqual([])
    expect(causeOf('lease lost', [granted('11'), unanswered])).toEqual([])
  })
})

describe('events', () => {
  test('proclaims of two candidates that one listing found are not one that was told twice', () => {
    const found = (identity: string) => ({
      type: 'proclaimed',
      revision: 7,
      key: null,
      identity,
      atMs: at(50),
      token: null,
    })
    expect(doctored((told) => void told.events.push(found('b')), [gap(45, 51)]).kinds).toEqual([])
    const twice = (told: Told) => void told.events.push(found('b'), found('c'), found('b'))
    expect(doctored(twice, [gap(45, 51)]).kinds).toEqual(['doubled event'])
  })

  test('a lost, a doubled and an invented event', () => {
    expect(doctored((told) => void told.events.splice(2, 1)).kinds).toEqual(['lost event'])
    expect(doctored((told) => void told.events.splice(2, 1), [gap(19, 21)]).kinds).toEqual([])
    expect(doctored((told) => void told.events.push(...told.events.slice(1, 2))).kinds).toEqual(['doubled event'])
    const strange = { type: 'candidate-left', revision: 9, key: '/elections/job/z', atMs: at(30), token: null }
    expect(doctored((told) => void told.events.push(strange)).kinds).toEqual(['invented event'])
    expect(doctored((told) => void told.events.push(strange), [gap(25, 29)]).kinds).toEqual([])
  })
})
