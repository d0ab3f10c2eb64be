/** A data folder checked, copied out beside a server that runs, and put back. */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { alertsFile, auditFile, historyFile, secretFile } from '../config/data-files.ts'
import { ALERT_VERSION } from './alert-database.ts'
import { verifyAudit } from './audit-verify.ts'
import { lockDataFolder } from './data-lock.ts'
import { MIGRATIONS } from './migrations/index.ts'

/** The words are for whoever typed the command. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** One file of a data folder. `trouble` is null when it is whole. */
export interface CheckedFile {
  file: string
  bytes: number
  /** What is in it, in words. */
  words: string
  trouble: string | null
}

/** Reads everything and changes nothing, also beside a server. Throws `BackupError` when there is nothing to check. */
export function checkData(folder: string): CheckedFile[] {
  const files = [
    { file: historyFile(folder), look: lookAtHistory },
    { file: auditFile(folder), look: lookAtAudit },
    { file: alertsFile(folder), look: lookAtAlerts },
  ].filter(({ file }) => existsSync(file))
  if (files.length === 0) throw new BackupError(`${folder} has no history.sqlite and no audit.sqlite.`)
  return files.map(({ file, look }) => ({ file, bytes: statSync(file).size, ...examine(file, look) }))
}

type Look = (database: DatabaseSync, file: string) => Pick<CheckedFile, 'words' | 'trouble'>

function examine(file: string, look: Look): Pick<CheckedFile, 'words' | 'trouble'> {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    const [first] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
    const damage = first?.integrity_check ?? 'no answer'
    return damage === 'ok' ? look(database, file) : { words: '', trouble: `damaged: ${damage}` }
  } catch (error) {
    return { words: '', trouble: `cannot be read: ${(error as Error).message}` }
  } finally {
    database?.close()
  }
}

function lookAtHistory(database: DatabaseSync): Pick<CheckedFile, 'words' | 'trouble'> {
  const done = database.prepare('select name from kysely_migration order by name').all() as { name: string }[]
  const unknown = done.filter(({ name }) => !(name in MIGRATIONS)).map(({ name }) => name)
  if (unknown.length > 0) {
    return { words: '', trouble: `written by a newer Tenure: this one does not know ${unknown.join(', ')}` }
  }
  const count = (table: string) => (database.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
  const words = `${counted(count('elections'), 'election')}, ${counted(count('terms'), 'term')}, ${counted(count('events'), 'event')}`
  return { words, trouble: null }
}

function lookAtAudit(_database: DatabaseSync, file: string): Pick<CheckedFile, 'words' | 'trouble'> {
  const { count, lastHash, broken } = verifyAudit(file)
  if (broken !== null) return { words: '', trouble: `broken at entry ${broken.number}: ${broken.what}` }
  return {
    words: count === 0 ? 'no entry yet' : `${counted(count, 'entry', 'entries')}, last hash ${lastHash}`,
    trouble: null,
  }
}

function lookAtAlerts(database: DatabaseSync): Pick<CheckedFile, 'words' | 'trouble'> {
  const version = Number((database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version)
  if (version > ALERT_VERSION) return { words: '', trouble: 'written by a newer Tenure' }
  const { n } = database.prepare('select count(*) as n from alerts').get() as { n: number }
  return { words: counted(n, 'alert'), trouble: null }
}

const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/**
 * Copies the folder's files into `to`, which must be new or empty. Each database is copied as it is at one moment,
 * also beside a server that writes; the history is not held up by it. Throws `BackupError`.
 */
export function exportData(folder: string, to: string): CheckedFile[] {
  // What is damaged is not worth its place, and would be found out when it is needed.
  requireWhole(checkData(folder))
  if (existsSync(to) && readdirSync(to).length > 0) throw new BackupError(`${to} is not empty: name a new folder.`)
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const file of [historyFile(folder), auditFile(folder), alertsFile(folder)].filter(existsSync))
    copyDatabase(file, to)
  const secret = secretFile(folder)
  if (existsSync(secret)) copyFileSync(secret, join(to, basename(secret)), constants.COPYFILE_EXCL)
  for (const name of readdirSync(to)) chmodSync(join(to, name), 0o600)
  return requireWhole(checkData(to))
}

function copyDatabase(file: string, to: string): void {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    database.prepare('VACUUM INTO ?').run(join(to, basename(file)))
  } finally {
    database.close()
  }
}

export interface Imported {
  files: CheckedFile[]
  /** Where what stood there before is now; null when there was nothing. */
  moved: string | null
}

/**
 * Puts an export in the place of the folder's files. What stood there is moved aside within the folder, never
 * deleted. Throws `BackupError`, and `DataFolderInUse` while a server runs on the folder.
 */
export async function importData(
  from: string,
  folder: string,
  { replace = false, at = new Date() } = {},
): Promise<Imported> {
  requireExport(from)
  requireWhole(checkData(from))
  const lock = await lockDataFolder(folder)
  try {
    const standing = NAMES.filter((name) => existsSync(join(folder, name)))
    if (standing.length > 0 && !replace) {
      throw new BackupError(
        `${folder} has ${standing.join(', ')} already: with --replace they are moved aside, and the export takes their place.`,
      )
    }
    const lost = DATABASES.filter((name) => existsSync(join(folder, name)) && !existsSync(join(from, name)))
    if (lost.length > 0)
      throw new BackupError(`${from} has no ${lost.join(' and no ')}, which ${folder} has: it is no whole export.`)
    const incoming = join(folder, `incoming-${process.pid}`)
    mkdirSync(incoming, { mode: 0o700 })
    const coming = NAMES.filter((name) => existsSync(join(from, name)))
    for (const name of coming) {
      copyFileSync(join(from, name), join(incoming, name))
      chmodSync(join(incoming, name), 0o600)
    }
    const moved = standing.length === 0 ? null : join(folder, `replaced-${at.toISOString().replaceAll(':', '-')}`)
    if (moved !== null) {
      mkdirSync(moved, { mode: 0o700 })
      for (const name of standing) renameSync(join(folder, name), join(moved, name))
    }
    for (const name of coming) renameSync(join(incoming, name), join(folder, name))
    rmSync(incoming, { recursive: true })
    return { files: requireWhole(checkData(folder)), moved }
  } finally {
    lock.release()
  }
}

/** What an export must have; that of an earlier Tenure has no alerts. */
const DATABASES = ['history.sqlite', 'audit.sqlite']
/** The journals belong to their databases: one that was left beside another database would damage it. */
const NAMES = [...DATABASES, 'alerts.sqlite']
  .flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
  .concat('auth-secret')

/** An export has no journal: a data folder that is in use has one, and would be copied half. */
function requireExport(from: string): void {
  if (existsSync(`${historyFile(from)}-wal`) || existsSync(`${auditFile(from)}-wal`)) {
    throw new BackupError(`${from} is a data folder, not an export: make one with npm run db -- export FOLDER.`)
  }
}

function requireWhole(files: CheckedFile[]): CheckedFile[] {
  const bad = files.find(({ trouble }) => trouble !== null)
  if (bad !== undefined) throw new BackupError(`${bad.file} is not whole: ${bad.trouble}.`)
  return files
}
