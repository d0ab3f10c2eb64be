/**
 * Bins of a sketch in as few bytes as they need: zero count, first key (zigzag), then the counts of the
 * keys that follow, all as varints; a count of 0 is followed by how many empty keys there are in a row.
 */
export interface Bins {
  /** Samples with the value 0. */
  zeroCount: number
  firstKey: number
  /** Of `firstKey` and the keys after it. */
  counts: readonly number[]
}

export function bytesOf({ zeroCount, firstKey, counts }: Bins): Uint8Array {
  const bytes: number[] = []
  pushVarint(bytes, zeroCount)
  if (counts.length === 0) return Uint8Array.from(bytes)
  pushVarint(bytes, firstKey >= 0 ? firstKey * 2 : -firstKey * 2 - 1)
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at] ?? 0
    pushVarint(bytes, count)
    if (count > 0) continue
    const from = at
    while (counts[at + 1] === 0) at += 1
    pushVarint(bytes, at - from + 1)
  }
  return Uint8Array.from(bytes)
}

export function binsOf(bytes: Uint8Array): Bins {
  const reader = { bytes, at: 0 }
  const zeroCount = readVarint(reader)
  if (reader.at === bytes.length) return { zeroCount, firstKey: 0, counts: [] }
  const zigzag = readVarint(reader)
  const counts: number[] = []
  while (reader.at < bytes.length) {
    const count = readVarint(reader)
    if (count > 0) counts.push(count)
    else for (let left = readVarint(reader); left > 0; left -= 1) counts.push(0)
  }
  return { zeroCount, firstKey: zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2, counts }
}

function pushVarint(bytes: number[], value: number): void {
  let left = value
  while (left >= 0x80) {
    bytes.push((left % 0x80) + 0x80)
    left = Math.floor(left / 0x80)
  }
  bytes.push(left)
}

function readVarint(reader: { bytes: Uint8Array; at: number }): number {
  let value = 0
  for (let scale = 1; ; scale *= 0x80) {
    const byte = reader.bytes[reader.at] ?? 0
    reader.at += 1
    value += (byte % 0x80) * scale
    if (byte < 0x80) return value
  }
}
