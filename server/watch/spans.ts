/** Spans of the key space: [key, end), where an end of one zero byte is the end of all keys. */
import type { KeySpan } from '../../lib/election/ports.ts'
import { escapeLatin1, fromLatin1, latin1 } from '../../lib/shared/bytes.ts'

const LAST = '\0'

interface Bounds {
  from: string
  /** null: no end. */
  to: string | null
}

function boundsOf({ key, end }: KeySpan): Bounds {
  const to = latin1(end)
  return { from: latin1(key), to: to === LAST ? null : to }
}

const spanOf = ({ from, to }: Bounds): KeySpan => ({ key: fromLatin1(from), end: fromLatin1(to ?? LAST) })

const later = (a: string, b: string) => (compare(a, b) < 0 ? b : a)
const earlier = (a: string, b: string) => (compare(a, b) < 0 ? a : b)
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function intersection(a: Bounds, b: Bounds): Bounds | null {
  const from = later(a.from, b.from)
  const to = a.to === null ? b.to : b.to === null ? a.to : earlier(a.to, b.to)
  return to === null || from < to ? { from, to } : null
}

/** The parts of `wanted` that lie in `allowed`, in order, none twice. */
export function permitted(wanted: KeySpan, allowed: readonly KeySpan[]): KeySpan[] {
  const parts = allowed
    .map((span) => intersection(boundsOf(wanted), boundsOf(span)))
    .filter((part) => part !== null)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
  const merged: Bounds[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (last === undefined || (last.to !== null && last.to < part.from)) merged.push({ ...part })
    else if (last.to !== null && (part.to === null || part.to > last.to)) last.to = part.to
  }
  return merged.map(spanOf)
}

/** For people: the prefix where the span is one, else both bounds. */
export function spanWords(span: KeySpan): string {
  const { from, to } = boundsOf(span)
  const next = from === '' ? '' : from.slice(0, -1) + String.fromCharCode(from.charCodeAt(from.length - 1) + 1)
  return to === next ? escapeLatin1(from) : `${escapeLatin1(from)} … ${to === null ? 'the end' : escapeLatin1(to)}`
}
