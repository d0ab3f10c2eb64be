import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isExecutable } from './debian.ts'

export interface PostgresBinaries {
  postgres: string
  initdb: string
  /** As the binary says, for example `15.14`. */
  version: string
}

/** Debian keeps servers off the PATH, one folder for each major version. */
function debianDirs(): string[] {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return []
  return readdirSync(root)
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((version) => join(root, version, 'bin'))
}

function searchDirs(): string[] {
  const chosen = process.env.TENURE_TEST_POSTGRES_BIN
  if (chosen) return [chosen]
  return [...(process.env.PATH ?? '').split(delimiter).filter((dir) => dir !== ''), ...debianDirs()]
}

/** Looks in TENURE_TEST_POSTGRES_BIN alone when it is set, else on the PATH, else where Debian puts it. */
export function findPostgres(): PostgresBinaries | undefined {
  for (const dir of searchDirs()) {
    const postgres = join(dir, 'postgres')
    const initdb = join(dir, 'initdb')
    if (!isExecutable(postgres) || !isExecutable(initdb)) continue
    const output = execFileSync(postgres, ['--version'], { encoding: 'utf8' })
    return { postgres, initdb, version: /(\d+\.?\d*)/.exec(output)?.[1] ?? 'unknown' }
  }
  return undefined
}
