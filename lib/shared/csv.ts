/** Lines of CSV (RFC 4180) that no spreadsheet takes for formulas. */

export type CsvCell = string | number | null | undefined

export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`
}

/** A spreadsheet looks behind the quotes: what it would compute is made text before it is quoted. */
export function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r＝＋－＠]/u.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
