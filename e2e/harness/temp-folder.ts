import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const live = new Set<string>()
process.on('exit', () => {
  for (const dir of live) removeFolder(dir)
})

function removeFolder(dir: string): void {
  live.delete(dir)
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
}

export function isAlive(pid: string): boolean {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const owned = /^tenure-[a-z-]+-(\d+)-/

/** A process that was killed could not tidy up: its folders carry its pid, and the next one does. */
function removeLeftOvers(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = owned.exec(name)?.[1]
    if (owner && !isAlive(owner)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

export interface TempFolder {
  path: string
  remove(): void
}

/** A new folder that goes when it is removed or when this process exits. */
export function makeTempFolder(kind: string): TempFolder {
  removeLeftOvers()
  const path = mkdtempSync(join(tmpdir(), `tenure-${kind}-${process.pid}-`))
  live.add(path)
  return {
    path,
    remove: () => {
      if (existsSync(path)) removeFolder(path)
    },
  }
}
