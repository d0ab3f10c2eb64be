/**
 * One server per data folder. The lock itself is the kernel's, taken through SQLite on a file of its
 * own: it goes with its process, however that ends, so that none is ever stale and no pid is trusted.
 * `server.lock` beside it only tells people and scripts who holds it.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import { isBusy } from './failures.ts'

const holderSchema = z.object({
  pid: z.int().positive(),
  startedAt: z.string(),
  /** Field 22 of /proc/<pid>/stat: tells a process from a later one with the same pid. */
  startTicks: z.string().nullable(),
})
export type LockHolder = z.infer<typeof holderSchema>

export interface DataLock {
  release(): void
}

export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
  readonly holder: LockHolder | null

  constructor(dir: string, holder: LockHolder | null) {
    const who = holder === null ? 'another process' : `process ${holder.pid}, running since ${holder.startedAt}`
    super(`the data folder ${dir} is in use by ${who}: stop it, or give this server a data folder of its own`)
    this.holder = holder
  }
}

// Two starts at once can each see the other half way into SQLite's lock; one wins within this time.
const RACE_MS = 500
/** The winner writes its name right after it has the lock. */
const NAME_TRIES = 20
const NAME_WAIT_MS = 25

/** A collected `DatabaseSync` would close its file and give the lock away. */
const held = new Set<DatabaseSync>()

const holderFile = (dir: string) => join(dir, 'server.lock')

/** Makes `dir` when it is absent. Rejects with `DataFolderInUse` while another process holds it. */
export async function lockDataFolder(dir: string, startedAt: Instant = instant(Date.now())): Promise<DataLock> {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(dir, 'server.lock.db'), { timeout: RACE_MS })
  try {
    // Nothing is ever written to it: without a journal's file it can be taken on a full disk, too.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new DataFolderInUse(dir, await nameOfHolder(dir))
  }
  held.add(lock)
  writeHolder(dir, { pid: process.pid, startedAt, startTicks: startTicksOf(process.pid) })
  return {
    release: () => {
      if (!held.delete(lock)) return
      rmSync(holderFile(dir), { force: true })
      lock.close()
    },
  }
}

/** The process that holds `dir` as far as `server.lock` tells; null when that process has ended. */
export function lockHolder(dir: string): LockHolder | null {
  const holder = readHolder(dir)
  return holder !== null && isRunning(holder) ? holder : null
}

async function nameOfHolder(dir: string): Promise<LockHolder | null> {
  for (let tries = 0; tries < NAME_TRIES; tries += 1) {
    const holder = lockHolder(dir)
    if (holder !== null) return holder
    await wait(NAME_WAIT_MS)
  }
  // The lock is held all the same: from another pid namespace, where the pid means nothing here.
  return null
}

function writeHolder(dir: string, holder: LockHolder): void {
  const next = `${holderFile(dir)}.${holder.pid}`
  try {
    writeFileSync(next, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
    renameSync(next, holderFile(dir))
  } catch {
    // The lock is held without its name: on a full disk it is still better to watch than not to start.
    rmSync(next, { force: true, recursive: true })
    rmSync(holderFile(dir), { force: true })
  }
}

function readHolder(dir: string): LockHolder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(holderFile(dir), 'utf8')))
  } catch {
    return null
  }
}

function isRunning({ pid, startTicks }: LockHolder): boolean {
  const ticks = startTicksOf(pid)
  if (ticks !== null && startTicks !== null) return ticks === startTicks
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Null where there is no /proc, or no such process. */
function startTicksOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before the last bracket may hold spaces and brackets itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
