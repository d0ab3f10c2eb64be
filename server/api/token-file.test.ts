import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import { TokenFile } from './token-file.ts'

let folder: TempFolder
const clock = { ms: 0, monoMs: () => clock.ms }
beforeEach(() => {
  folder = makeTempFolder('token')
})
afterEach(() => folder.remove())

const file = () => join(folder.path, 'token')

test('compares with what the file holds, without the line’s end', () => {
  writeFileSync(file(), 'seven-seas\n')
  const token = new TokenFile(file(), clock)
  expect(['seven-seas', 'seven-sea', 'seven-seas\n', ''].map((given) => token.matches(given))).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a file that is replaced while running counts within a second', () => {
  writeFileSync(file(), 'old')
  const token = new TokenFile(file(), clock)
  expect(token.matches('old')).toBe(true)
  writeFileSync(`${file()}.new`, 'new')
  renameSync(`${file()}.new`, file())
  clock.ms += 1_000
  expect([token.matches('old'), token.matches('new')]).toEqual([false, true])
})

test('nothing matches while the file is gone or empty, not even nothing', () => {
  writeFileSync(file(), 'old')
  const token = new TokenFile(file(), clock)
  expect(token.matches('old')).toBe(true)
  rmSync(file())
  clock.ms += 1_000
  expect([token.matches('old'), token.problem]).toEqual([false, expect.stringContaining('ENOENT')])
  writeFileSync(file(), ' \n')
  clock.ms += 1_000
  expect([token.matches(''), token.problem]).toEqual([false, expect.stringContaining('empty')])
  writeFileSync(file(), 'old')
  clock.ms += 1_000
  expect([token.matches('old'), token.problem]).toEqual([true, null])
})
