/** Why the audit log cannot be used, in words that say what to do. */
import { AuditUnavailable } from './audit.ts'
import { messageOf } from './failures.ts'

const ERRORS: Readonly<Record<number, (file: string) => string>> = {
  5: (file) => `${file} is locked by another process`,
  6: (file) => `${file} is locked by another process`,
  8: (file) => `${file} cannot be written: it or its disk is read-only`,
  10: (file) => `the disk failed while reading or writing ${file}`,
  11: (file) => `${file} is damaged: stop Tenure, keep a copy of it, and put the last good copy in its place`,
  13: (file) => `the disk of ${file} is full`,
  14: (file) => `${file} cannot be opened: look at its owner, its mode and its folder`,
  26: (file) => `${file} is no audit log: something else has that name`,
}
const FOLDER_ERRORS: Readonly<Record<string, (file: string) => string>> = {
  EACCES: (file) => `${file} may not be opened by this user: look at its owner and mode`,
  EPERM: (file) => `${file} may not be opened by this user: look at its owner and mode`,
  EISDIR: (file) => `${file} is a folder`,
  ENOSPC: (file) => `the disk of ${file} is full`,
  EROFS: (file) => `${file} cannot be written: it or its disk is read-only`,
}

/** The connection may be used again: what failed was the disk or somebody's lock. */
const KEEPS_CONNECTION = new Set([5, 6, 8, 13])

export function unavailable(file: string, error: unknown): AuditUnavailable {
  if (error instanceof AuditUnavailable) return error
  const code = sqliteCode(error)
  const folderCode = error instanceof Error && 'code' in error ? String(error.code) : ''
  const words = (code === null ? FOLDER_ERRORS[folderCode] : ERRORS[code]) ?? null
  return new AuditUnavailable(words === null ? `${file}: ${messageOf(error)}` : words(file), { cause: error })
}

export function keepsConnection(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== null && KEEPS_CONNECTION.has(code)
}

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return error.errcode % 256
}
