import { describe, expect, it } from 'vitest'
import type { Header, KeyValue } from '../election/ports.ts'
import type { Revision } from '../election/types.ts'
import { utf8 } from '../shared/bytes.ts'
import { StoreRolledBackError } from './errors.ts'
import { Witness } from './witness.ts'

const header = (revision: number) => ({ revision: String(revision) as Revision }) as Header
const epoch = (value: number | string): KeyValue => {
  const text = typeof value === 'string' ? value : JSON.stringify({ v: 1, epoch: value, id: 'e', highRevision: '9' })
  return { key: utf8('e'), value: utf8(text), lease: null } as KeyValue
}
const token = (e: number, revision: number) => ({ epoch: e, revision: String(revision) as Revision })

const adopt = (witness: Witness, revision: number, kv: KeyValue | undefined) =>
  witness.adopt(header(revision), kv, witness.mark())

function seen(revision: number): Witness {
  const witness = new Witness(0)
  witness.saw(header(revision), witness.mark())
  return witness
}

describe('revisions', () => {
  it('refuses an answer below the highest that was seen before it was asked for', () => {
    const witness = seen(50)
    expect(() => witness.saw(header(49), witness.mark())).toThrow(StoreRolledBackError)
  })

  it('takes answers to questions asked at the same time in any order', () => {
    const witness = seen(50)
    const [first, second] = [witness.mark(), witness.mark()]
    witness.saw(header(60), second)
    expect(() => witness.saw(header(51), first)).not.toThrow()
    expect(() => witness.saw(header(59), witness.mark())).toThrow('at revision 59, after 60 had been seen')
  })

  it('does not forget a rollback once the revisions have passed the old ones', () => {
    const witness = seen(50)
    expect(() => witness.saw(header(40), witness.mark())).toThrow(StoreRolledBackError)
    expect(() => witness.saw(header(99), witness.mark())).toThrow('at revision 40, after 50')
  })

  it('lets an answer to a question of the former epoch say nothing of the new one', () => {
    const witness = seen(50)
    const [late, later] = [witness.mark(), witness.mark()]
    expect(() => witness.saw(header(40), witness.mark())).toThrow(StoreRolledBackError)
    expect(adopt(witness, 41, epoch(1))).toBe(true)
    witness.saw(header(55), late)
    witness.saw(header(39), later)
    expect(() => witness.saw(header(42), witness.mark())).not.toThrow()
  })
})

describe('epochs', () => {
  it('takes a missing key for epoch 0, and refuses a lower one than before', () => {
    const witness = new Witness(0)
    expect(witness.epochOf(undefined)).toBe(0)
    expect(witness.epochOf(epoch(3))).toBe(3)
    expect(() => witness.epochOf(epoch(2))).toThrow('in epoch 2, after 3 had been seen')
    expect(() => witness.epochOf(undefined)).toThrow(StoreRolledBackError)
  })

  it.each(['', '{"v":2,"epoch":1}', '{"v":1,"epoch":-1,"id":"e","highRevision":"9"}'])('cannot read %j', (text) => {
    expect(() => new Witness(0).epochOf(epoch(text))).toThrow('cannot be read')
  })

  it('admits no epoch below the lowest that the owner allows, and says what to write where', () => {
    const witness = new Witness(2, '/ops/epoch')
    witness.epochOf(epoch(1))
    expect(() => witness.admit()).toThrow(/below minEpoch 2.*"epoch":2.*\/ops\/epoch/)
    expect(adopt(witness, 9, epoch(1))).toBe(false)
    expect(adopt(witness, 9, epoch(2))).toBe(true)
    expect(() => witness.admit()).not.toThrow()
  })

  it('waits after a rollback for a higher epoch, and after a key that could not be read only for one it can read', () => {
    const back = seen(50)
    expect(() => back.saw(header(40), back.mark())).toThrow()
    expect(adopt(back, 60, undefined)).toBe(false)
    expect(adopt(back, 61, epoch(1))).toBe(true)

    const garbled = seen(50)
    garbled.epochOf(epoch(1))
    expect(() => garbled.epochOf(epoch('{'))).toThrow('cannot be read')
    expect(() => adopt(garbled, 51, epoch('{'))).toThrow('cannot be read')
    expect(adopt(garbled, 52, epoch(1))).toBe(true)
  })
})

it('does not forget a rollback that it saw while the epoch could not be read', () => {
  const witness = seen(50)
  expect(() => witness.epochOf(epoch('{'))).toThrow('cannot be read')
  expect(() => adopt(witness, 60, epoch('{'))).toThrow('cannot be read')
  expect(() => adopt(witness, 55, epoch('{'))).toThrow('cannot be read')
  expect(adopt(witness, 70, undefined)).toBe(false)
  expect(adopt(witness, 71, epoch(1))).toBe(true)
})

it('issues only tokens above the last one', () => {
  const witness = new Witness(0)
  witness.issue(token(0, 9))
  witness.issue(token(0, 10))
  expect(() => witness.issue(token(0, 10))).toThrow('token 0.10 is not above 0.10')
  witness.issue(token(1, 3))
  expect(() => witness.issue(token(0, 99))).toThrow(StoreRolledBackError)
})
