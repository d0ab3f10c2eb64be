import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { hasApt, isExecutable, missingPackages, unpackDebian } from './debian.ts'
import { workDir } from './paths.mjs'

export interface PostgresBinaries {
  postgres: string
  initdb: string
  /** As the binary says, for example `15.14`. */
  version: string
  /** Folders of shared libraries that were unpacked with it; for LD_LIBRARY_PATH. */
  libraries: string[]
}

const unpackedDir = join(workDir, 'postgres')

/** Debian keeps servers off the PATH, one folder for each major version. */
function debianDirs(root: string): string[] {
  const versions = join(root, 'usr', 'lib', 'postgresql')
  if (!existsSync(versions)) return []
  return readdirSync(versions)
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((version) => join(versions, version, 'bin'))
}

function searchDirs(): string[] {
  const chosen = process.env.TENURE_TEST_POSTGRES_BIN
  if (chosen) return [chosen]
  const path = (process.env.PATH ?? '').split(delimiter).filter((dir) => dir !== '')
  return [...path, ...debianDirs('/'), ...debianDirs(unpackedDir)]
}

function unpackedLibraries(): string[] {
  const roots = [join(unpackedDir, 'usr', 'lib'), join(unpackedDir, 'lib')].filter(existsSync)
  return roots.flatMap((root) =>
    readdirSync(root)
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(root, name)),
  )
}

/** Undefined when it does not run, for want of a library. */
function versionOf(postgres: string, libraries: string[]): string | undefined {
  const env = { ...process.env, ...(libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(delimiter) } : {}) }
  try {
    const output = execFileSync(postgres, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env })
    return /(\d+\.?\d*)/.exec(output)?.[1] ?? 'unknown'
  } catch {
    return undefined
  }
}

/**
 * Looks in TENURE_TEST_POSTGRES_BIN alone when it is set, else on the PATH, where Debian puts it, and in what
 * was unpacked.
 */
export function findPostgres(): PostgresBinaries | undefined {
  for (const dir of searchDirs()) {
    const postgres = join(dir, 'postgres')
    const initdb = join(dir, 'initdb')
    if (!isExecutable(postgres) || !isExecutable(initdb)) continue
    const libraries = dir.startsWith(unpackedDir) ? unpackedLibraries() : []
    const version = versionOf(postgres, libraries)
    if (version !== undefined) return { postgres, initdb, version, libraries }
  }
  return undefined
}

/**
 * The server and libraries; not what makes a service of it, nor the compiler for its queries. Another C library
 * than the machine's own would not fit its loader.
 */
const isNeeded = (name: string) => /^(postgresql-\d+|lib\S+)$/.test(name) && !/^lib(c6|c-|llvm|z3|\S*perl)/.test(name)

async function unpack(): Promise<void> {
  const packages = (await missingPackages('postgresql', 'postgres')).filter(isNeeded)
  await unpackDebian({ packages, into: unpackedDir, log: 'postgres' })
}

/** The same, unpacked where this is Debian. The product does without it: suites that need it are skipped by name. */
export async function providePostgres(): Promise<string> {
  const found = findPostgres()
  if (found) return `${found.version} (${found.postgres})`
  let reason = 'not found'
  if (hasApt() && !process.env.TENURE_TEST_POSTGRES_BIN) {
    await unpack().catch((error: Error) => {
      reason = error.message.split('\n')[0] ?? reason
    })
  }
  const unpacked = findPostgres()
  return unpacked ? `${unpacked.version} (Debian's packages, unpacked)` : `none: its tests are skipped (${reason})`
}
