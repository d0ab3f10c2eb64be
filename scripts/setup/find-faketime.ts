import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasApt, unpackDebian } from './debian.ts'
import { workDir } from './paths.mjs'

const unpackedDir = join(workDir, 'faketime')

/** The library that fakes the clock of a process: the system's, or the one unpacked here. */
export function findFaketime(): string | undefined {
  for (const root of ['/', unpackedDir]) {
    const libs = join(root, 'usr', 'lib')
    const triplets = existsSync(libs) ? readdirSync(libs).filter((name) => name.endsWith('-linux-gnu')) : []
    for (const triplet of triplets) {
      const file = join(libs, triplet, 'faketime', 'libfaketime.so.1')
      if (existsSync(file)) return file
    }
  }
  return undefined
}

/** The same, fetched where this is Debian; tests that need it name it as missing elsewhere. */
export async function provideFaketime(): Promise<string> {
  if (findFaketime() === undefined && hasApt()) {
    await unpackDebian({ packages: ['libfaketime'], into: unpackedDir, log: 'faketime' })
  }
  return findFaketime() ?? 'none: tests with a fake clock are skipped by name'
}
