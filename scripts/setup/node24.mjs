import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from './paths.mjs'
import { StepFailed } from './step.mjs'

const ownNode = join(rootDir, 'node_modules', '.bin', 'node')
const neededMajor = 24

export const isNodeNewEnough = Number.parseInt(process.versions.node, 10) >= neededMajor

/**
 * Runs this same script again on the Node that came with the packages and ends as it ends. Never
 * returns. The IPC channel tells the child when this process is gone, however it ended.
 */
export async function runAgainOnOwnNode() {
  if (!existsSync(ownNode)) {
    throw new StepFailed(
      `Node ${process.versions.node} is too old and no own copy was installed for ${process.platform}-${process.arch}.\n` +
        `Remedy: install Node ${neededMajor} or newer (https://nodejs.org) and start again.`,
    )
  }
  const child = spawn(ownNode, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, TENURE_BOOTSTRAP: 'done' },
  })
  // A terminal sends Ctrl-C to both processes. A signal sent to this one alone is handed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal).on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, signal) => resolve(exitCode ?? (signal === 'SIGINT' ? 130 : 143)))
  })
  process.exit(code)
}
