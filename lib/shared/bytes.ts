/**
 * Bytes as etcd stores them, made printable without losing any. Keys are compared and indexed as
 * latin1 strings (one character a byte), shown escaped, and sent as base64.
 */

const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/
// Control and format characters, line separators and the replacement character never pass as text.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\ufffd]/u
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

const hexByte = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead < 0xe0) return 2
  if (lead >= 0xe0 && lead < 0xf0) return 3
  if (lead >= 0xf0 && lead < 0xf5) return 4
  return 0
}

function decodeAt(bytes: Uint8Array, at: number): { text: string; length: number } | null {
  const length = sequenceLength(bytes[at] ?? 0)
  if (length === 0 || at + length > bytes.length) return null
  try {
    const text = decoder.decode(bytes.subarray(at, at + length))
    return UNPRINTABLE.test(text) ? null : { text, length }
  } catch {
    return null
  }
}

/** Text with every byte that is not plain text as `\xNN` and each backslash doubled. Reversible. */
export function escapeBytes(bytes: Uint8Array): string {
  let out = ''
  for (let at = 0; at < bytes.length; ) {
    const found = decodeAt(bytes, at)
    if (found === null) {
      out += hexByte(bytes[at] ?? 0)
      at += 1
    } else {
      out += found.text === '\\' ? '\\\\' : found.text
      at += found.length
    }
  }
  return out
}

/** The inverse of `escapeBytes`. Throws a `SyntaxError` naming the position of a bad escape. */
export function unescapeBytes(text: string): Uint8Array {
  const out: number[] = []
  for (let at = 0; at < text.length; ) {
    if (text[at] !== '\\') {
      const point = String.fromCodePoint(text.codePointAt(at) ?? 0)
      out.push(...encoder.encode(point))
      at += point.length
    } else if (text[at + 1] === '\\') {
      out.push(0x5c)
      at += 2
    } else {
      const hex = /^\\x([0-9a-f]{2})/.exec(text.slice(at, at + 4))?.[1]
      if (hex === undefined) throw new SyntaxError(`bad escape at position ${at} of ${JSON.stringify(text)}`)
      out.push(Number.parseInt(hex, 16))
      at += 4
    }
  }
  return Uint8Array.from(out)
}

/** One character a byte: a map key on which `startsWith` and `<` work as they do on the bytes. */
export function latin1(bytes: Uint8Array): string {
  if (bytes.length <= 8192) return characters(bytes)
  let out = ''
  for (let at = 0; at < bytes.length; at += 8192) out += characters(bytes.subarray(at, at + 8192))
  return out
}

/** `apply` takes the bytes as they are; spreading them goes through an iterator and takes four times as long. */
function characters(bytes: Uint8Array): string {
  return String.fromCharCode.apply(null, bytes as unknown as number[])
}

export function fromLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Escaped form of a latin1 string, without decoding when it is plain ASCII. */
export function escapeLatin1(text: string): string {
  return PLAIN.test(text) ? text : escapeBytes(fromLatin1(text))
}

export function base64FromLatin1(text: string): string {
  return btoa(text)
}

export function latin1FromBase64(text: string): string {
  return atob(text)
}

export function base64UrlFromLatin1(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Throws on anything that is not base64url. */
export function latin1FromBase64Url(text: string): string {
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
}
