import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFaketime } from '../../scripts/setup/find-faketime.ts'

/** The library is here: tests that need it say so in their name where it is not. */
export const hasFakeClock = findFaketime() !== undefined

export interface FakeClock {
  /** For the process whose wall clock is to be stepped; its monotonic clock stays true. */
  env: Record<string, string>
  /** Steps the wall clock to `seconds` from the true time, also while the process runs. */
  step(seconds: number): void
}

export function makeFakeClock(dir: string): FakeClock {
  const library = findFaketime()
  if (library === undefined) throw new Error('libfaketime is not here: check hasFakeClock first')
  mkdirSync(dir, { recursive: true })
  const file = join(dir, 'faketime')
  const step = (seconds: number) => writeFileSync(file, `${seconds >= 0 ? '+' : ''}${seconds}s\n`)
  step(0)
  return {
    step,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  }
}
