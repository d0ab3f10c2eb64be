/** Values carry a number, by which a change is told again wherever it arrives. */
const MARK = /#(\d{6})/g

export const markOf = (sequence: number) => `#${String(sequence).padStart(6, '0')}`

/** The numbers of the marks in a text. */
export function* marksIn(text: string): Generator<number> {
  for (const found of text.matchAll(MARK)) yield Number(found[1])
}

/** Milliseconds of the clock that all processes of a machine share. */
export function sharedMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
