import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  base64FromLatin1,
  base64UrlFromLatin1,
  escapeBytes,
  escapeLatin1,
  fromLatin1,
  latin1,
  latin1FromBase64,
  latin1FromBase64Url,
  unescapeBytes,
} from './bytes.ts'

const any = fc.uint8Array({ maxLength: 40 })

describe('escaping', () => {
  test('is reversible for any bytes, and prints nothing that is not printable', () => {
    fc.assert(
      fc.property(any, (bytes) => {
        const text = escapeBytes(bytes)
        expect([...unescapeBytes(text)]).toEqual([...bytes])
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\ufffd]/u)
        expect(escapeLatin1(latin1(bytes))).toBe(text)
      }),
    )
  })

  test('tells a byte from its escaped spelling', () => {
    expect(escapeBytes(Uint8Array.of(0xff))).toBe('\\xff')
    expect(escapeBytes(Buffer.from('\\xff'))).toBe('\\\\xff')
  })

  test('keeps text of any script, and refuses overlong and surrogate forms', () => {
    expect(escapeBytes(Buffer.from('größe/日本'))).toBe('größe/日本')
    expect(escapeBytes(Uint8Array.of(0xc0, 0xaf))).toBe('\\xc0\\xaf')
    expect(escapeBytes(Uint8Array.of(0xed, 0xa0, 0x80))).toBe('\\xed\\xa0\\x80')
  })

  test('names the place of a bad escape', () => {
    expect(() => unescapeBytes('ab\\q')).toThrow('position 2')
  })
})

test('base64 and base64url carry any bytes', () => {
  fc.assert(
    fc.property(any, (bytes) => {
      const text = latin1(bytes)
      expect(latin1FromBase64(base64FromLatin1(text))).toBe(text)
      expect(latin1FromBase64Url(base64UrlFromLatin1(text))).toBe(text)
      expect([...fromLatin1(text)]).toEqual([...bytes])
    }),
  )
})
