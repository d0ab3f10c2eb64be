import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FencingToken } from '../election/epoch.ts'
import { revision } from '../election/ids.ts'
import { FencingError } from './errors.ts'
import { fromHeaders, toHeaders } from './headers.ts'
import { checkName } from './names.ts'
import { checkToken, formatToken, parseToken } from './token.ts'

const tokens = fc.record({
  epoch: fc.oneof(fc.nat(5), fc.maxSafeNat()),
  revision: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map((value) => revision(String(value))),
})

describe('a token as text', () => {
  it('comes back as it was, by text and by both kinds of headers', () => {
    fc.assert(
      fc.property(tokens, (token) => {
        expect(parseToken(formatToken(token))).toEqual(token)
        expect(fromHeaders(toHeaders(token))).toEqual(token)
        expect(fromHeaders(new Headers(toHeaders(token)))).toEqual(token)
        expect(fromHeaders({ 'tenure-fencing-token': formatToken(token) })).toEqual(token)
      }),
    )
  })

  it('has one spelling: any other text is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9+ .-]{0,24}$/)), (text) => {
        try {
          expect(formatToken(parseToken(text))).toBe(text)
        } catch (error) {
          expect(error).toBeInstanceOf(FencingError)
          expect(error).toMatchObject({ code: 'bad-input' })
        }
      }),
    )
  })

  it.each([
    ['', 'expected <epoch>.<revision>'],
    ['12', 'expected <epoch>.<revision>'],
    ['0.1.2', 'expected <epoch>.<revision>'],
    ['-1.5', 'expected <epoch>.<revision>'],
    ['01.5', 'expected <epoch>.<revision>'],
    ['0.', 'without a sign, spaces or leading zeros'],
    ['0.05', 'without a sign, spaces or leading zeros'],
    ['0.-5', 'without a sign, spaces or leading zeros'],
    ['0. 5', 'without a sign, spaces or leading zeros'],
    ['0.5\n', 'without a sign, spaces or leading zeros'],
    ['0.0x5', 'without a sign, spaces or leading zeros'],
    ['0.1e3', 'without a sign, spaces or leading zeros'],
    ['0.٣', 'without a sign, spaces or leading zeros'],
    ['0.0', "etcd's begin at 1"],
    ['0.9223372036854775808', 'end at 9223372036854775807'],
    ['9007199254740992.1', 'it ends at 9007199254740991'],
  ])('%j: %s', (text, message) => {
    expect(() => parseToken(text)).toThrow(message)
  })

  it.each([
    [null, 'The token is null'],
    ['0.5', 'or parseToken(text)'],
    [{ epoch: 0, revision: 5 }, 'give the create revision as a decimal string, never a number'],
    [{ epoch: 0, revision: 5n }, '5 (bigint)'],
    [{ epoch: '0', revision: '5' }, 'The token\'s epoch is "0"'],
    [{ epoch: -1, revision: '5' }, "The token's epoch is -1"],
    [{ epoch: -0, revision: '5' }, "The token's epoch is 0"],
    [{ epoch: 0.5, revision: '5' }, 'give a whole number'],
    [{ epoch: Number.NaN, revision: '5' }, "The token's epoch is NaN"],
    [{ epoch: 2 ** 53, revision: '5' }, "The token's epoch is 9007199254740992"],
    [{ epoch: 0 }, "The token's revision is undefined"],
  ])('%o is refused: %s', (token, message) => {
    expect(() => checkToken(token)).toThrow(message)
  })

  it('is a copy that cannot change during a write', () => {
    const token: FencingToken = { epoch: 0, revision: revision('5') }
    const checked = checkToken(token)
    token.revision = revision('9')
    expect(checked.revision).toBe('5')
    expect(Object.isFrozen(checked)).toBe(true)
  })
})

describe('the header', () => {
  it('is found whatever its case', () => {
    for (const name of ['tenure-fencing-token', 'Tenure-Fencing-Token', 'TENURE-FENCING-TOKEN']) {
      expect(fromHeaders({ host: 'a', [name]: '1.2' })).toEqual({ epoch: 1, revision: '2' })
    }
  })

  it.each([{}, { 'tenure-fencing-token': undefined }, new Headers()])('is missing in %o', (headers) => {
    expect(() => fromHeaders(headers as Headers)).toThrow(expect.objectContaining({ code: 'missing-token' }))
  })

  const sentTwice = new Headers([
    ['Tenure-Fencing-Token', '1.2'],
    ['tenure-fencing-token', '1.3'],
  ])
  it.each([
    sentTwice,
    { 'tenure-fencing-token': '1.2, 1.3' },
    { 'tenure-fencing-token': ['1.2', '1.3'] },
    { 'tenure-fencing-token': '1.2', 'Tenure-Fencing-Token': '1.3' },
  ])('sent twice is refused: %o', (headers) => {
    expect(() => fromHeaders(headers as Headers)).toThrow('more than one Tenure-Fencing-Token header')
  })

  it('says which header is malformed', () => {
    expect(() => fromHeaders({ 'tenure-fencing-token': '12' })).toThrow(
      'Header Tenure-Fencing-Token: The token is "12"',
    )
  })
})

describe('a name', () => {
  it.each([
    ['', 'The resource is empty'],
    [' job', 'begins or ends with a space'],
    ['job\n', 'begins or ends with a space'],
    ['a\0b', 'holds a control character'],
    ['a\ud800', 'half of a surrogate pair'],
    ['é'.repeat(257), 'takes 514 bytes: at most 512'],
    [12, 'is of type number'],
    [null, 'is null'],
  ])('%j is refused: %s', (value, message) => {
    expect(() => checkName('resource', value)).toThrow(message)
  })

  it('is otherwise kept as it is', () => {
    expect(checkName('key', 'größe/日本 12:00')).toBe('größe/日本 12:00')
  })
})
