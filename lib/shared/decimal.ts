/**
 * 64-bit numbers as etcd sends them: decimal strings without a sign or leading zeros. They are
 * compared as text, so that none is ever rounded by a double.
 */
export function compareDecimal(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

export function nextDecimal(value: string): string {
  return (BigInt(value) + 1n).toString()
}

/** 1234567 → "1,234,567". */
export function groupDigits(value: string): string {
  return value.replace(/\B(?=(\d{3})+$)/g, ',')
}
