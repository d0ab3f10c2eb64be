import { join } from 'node:path'
import { buildWhenChanged } from '../setup/build.ts'
import { rootDir } from '../setup/paths.mjs'
import { noteRun } from '../setup/running.mjs'
import { step } from '../setup/step.mjs'

/** `npm start`: builds when needed, then becomes the server, so that signals reach it directly. */
export async function start(args: string[]): Promise<void> {
  await step('build', buildWhenChanged)
  noteRun('server')
  process.chdir(rootDir)
  if (!process.execve) throw new Error('this platform cannot replace a process: run `node server/main.ts` yourself')
  const env = { ...process.env, NODE_ENV: 'production' } as NodeJS.ProcessEnv & Record<string, string>
  process.execve(process.execPath, [process.execPath, join(rootDir, 'server', 'main.ts'), ...args], env)
}
