/** A worker of Go's `clientv3/concurrency` that tells the same lines as the library's; built where there is a Go. */
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { workDir } from '../../scripts/setup/paths.mjs'

const source = join(import.meta.dirname, 'go-peer')
const binary = join(workDir, 'go-peer')
/** Its modules are fetched and compiled the first time. */
const BUILT_WITHIN_MS = 600_000

/** `missing` says why there is none: no Go, or its modules cannot be fetched. */
export async function buildGoPeer(): Promise<{ command: [string] } | { missing: string }> {
  mkdirSync(workDir, { recursive: true })
  try {
    await promisify(execFile)('go', ['build', '-o', binary, '.'], { cwd: source, timeout: BUILT_WITHIN_MS })
    return { command: [binary] }
  } catch (error) {
    return { missing: (error as Error).message.split('\n')[0] ?? 'go build failed' }
  }
}
