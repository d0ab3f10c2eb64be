/** `npm run db`: the data folder checked, backed up and put back. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BackupError, type CheckedFile, checkData, exportData, importData } from '../server/history/backup.ts'
import { DataFolderInUse } from '../server/history/data-lock.ts'
import { dataFolder } from './setup/data-folder.ts'
import { StepFailed } from './setup/step.mjs'

const usage = `Usage: npm run db -- check | export FOLDER | import FOLDER [--replace]   [--data DIR]
  check     whether history and audit log are whole; nothing is changed
  export    copies them and the session secret into FOLDER, also while Tenure runs
  import    puts an export back, while Tenure is stopped
  --replace import: what is there already is moved aside within the data folder
  --data    the data folder; that of the configuration when left out`

export async function db(args: string[]): Promise<void> {
  const { command, folder, data, replace } = parse(args)
  try {
    if (command === 'check') return check(dataFolder(data, usage))
    if (folder === undefined) throw new StepFailed(`${command} needs a folder\n\n${usage}`)
    if (command === 'export') {
      say([...exportData(dataFolder(data, usage), resolve(folder)).map(words), `Exported to ${resolve(folder)}.`])
      return
    }
    const { files, moved } = await importData(resolve(folder), dataFolder(data, usage), { replace })
    say([...files.map(words), 'Imported.', ...(moved === null ? [] : [`What was there before is in ${moved}.`])])
  } catch (error) {
    if (!(error instanceof BackupError || error instanceof DataFolderInUse)) throw error
    throw new StepFailed(error.message)
  }
}

function check(folder: string): void {
  const files = checkData(folder)
  say(files.map(words))
  if (files.some(({ trouble }) => trouble !== null)) process.exitCode = 1
}

function words({ file, bytes, words: found, trouble }: CheckedFile): string {
  return `${file}, ${(bytes / 1_000_000).toFixed(1)} MB: ${trouble === null ? `whole. ${found}` : trouble}`
}

const say = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n`)

function parse(args: string[]) {
  const options = { data: { type: 'string' }, replace: { type: 'boolean' } } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [command = '', folder, ...rest] = positionals
    if (!['check', 'export', 'import'].includes(command)) throw new Error(`"${command}" is no command of db`)
    if (rest.length > 0) throw new Error(`too many words: ${rest.join(' ')}`)
    return { ...values, command, folder }
  } catch (error) {
    throw new StepFailed(`${(error as Error).message}\n\n${usage}`)
  }
}
