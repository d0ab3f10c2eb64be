/** What an error of the database means for what was to be written. */

const CONSTRAINT = 19
const TOO_BIG = 18
const MISMATCH = 20
const RANGE = 25
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const FULL = 13

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return error.errcode % 256
}

/** The row is at fault: trying it again would fail for ever. */
export function isDataError(error: unknown): boolean {
  const sqlite = primaryCode(error)
  if (sqlite !== null) return [CONSTRAINT, TOO_BIG, MISMATCH, RANGE].includes(sqlite)
  const binding = error instanceof Error && 'code' in error ? String(error.code) : ''
  return binding.startsWith('ERR_INVALID_ARG') || binding === 'ERR_OUT_OF_RANGE'
}

/** The connection is still good: reading goes on, and only the write has to be tried again. */
export function keepsConnection(error: unknown): boolean {
  const code = primaryCode(error)
  return code !== null && [BUSY, LOCKED, READ_ONLY, FULL].includes(code)
}

/** Another connection is writing just now. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error)
  return code === BUSY || code === LOCKED
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
