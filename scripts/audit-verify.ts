/** `npm run audit:verify`: whether the audit log is as it was written. */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { auditFile } from '../server/config/data-files.ts'
import { type Verified, verifyAudit } from '../server/history/audit-verify.ts'
import { dataFolder } from './setup/data-folder.ts'
import { StepFailed } from './setup/step.mjs'

const usage = `Usage: npm run audit:verify [-- [--data DIR] [--expect HASH]]
  --data    the data folder; that of the configuration when left out
  --expect  a hash noted elsewhere, which the log must still have`

export function auditVerify(args: string[]): void {
  const { data, expect } = parse(args)
  if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect)) {
    throw new StepFailed(`--expect must be a hash of 64 hexadecimal digits\n\n${usage}`)
  }
  const file = auditFile(dataFolder(data, usage))
  if (!existsSync(file)) throw new StepFailed(`There is no audit log at ${file}.\n\n${usage}`)
  const verified = read(file, expect)
  const { isWhole, words } = verdict(verified, expect)
  process.stdout.write(`${file}\n${words}\n`)
  if (!isWhole) process.exitCode = 1
}

export function verdict(verified: Verified, expected?: string): { isWhole: boolean; words: string } {
  const { count, from, to, lastHash, broken, expectedAt } = verified
  if (broken !== null) {
    const when = broken.at === null ? '' : ` of ${broken.at}`
    const before = count === 0 ? 'None before it is whole.' : `The ${entries(count)} before it: unbroken.`
    return { isWhole: false, words: `Broken at entry ${broken.number}${when}: ${broken.what}.\n${before}` }
  }
  const whole =
    count === 0 ? 'No entries yet.' : `${entries(count)}, unbroken from ${from} to ${to}, last hash ${lastHash}`
  if (expectedAt === undefined) return { isWhole: true, words: whole }
  if (expectedAt !== null) {
    return { isWhole: true, words: `${whole}\nThe expected hash is that of entry ${expectedAt}.` }
  }
  const missing = `No entry has the expected hash ${expected}: the end of the log was cut off, or it is another log.`
  return { isWhole: false, words: `${missing}\n${whole}` }
}

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

function parse(args: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ args, options: { data: text, expect: text } }).values
  } catch (error) {
    throw new StepFailed(`${(error as Error).message}\n\n${usage}`)
  }
}

function read(file: string, expect: string | undefined): Verified {
  try {
    return verifyAudit(file, expect)
  } catch (error) {
    throw new StepFailed(`${file} cannot be read as an audit log: ${(error as Error).message}`)
  }
}
