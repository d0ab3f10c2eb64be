import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spawnOwned } from './owned-process.ts'
import { makeTempFolder } from './temp-folder.ts'

/** A process that was killed stays as a zombie until its parent looks; that one counts as gone. */
function isGone(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return true
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

const script = `
import { spawnOwned } from ${JSON.stringify(join(import.meta.dirname, 'owned-process.ts'))}
process.stdout.write(String(spawnOwned('sleep', ['60']).pid))
setInterval(() => {}, 1_000)
`

async function killOwner(env: NodeJS.ProcessEnv): Promise<number> {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [pid] = await owner.stdout
    .map((chunk) => Number(String(chunk)))
    .take(1)
    .toArray()
  if (!pid || isGone(pid)) throw new Error('the process did not start')
  owner.kill('SIGKILL')
  return pid
}

it('a process dies with an owner that is killed', async () => {
  const pid = await killOwner(process.env)
  await expect.poll(() => isGone(pid), { timeout: 15_000 }).toBe(true)
}, 30_000)

it('a process dies with an owner that is killed, also where there is no setpriv', async () => {
  const folder = makeTempFolder('bin')
  for (const name of ['sh', 'cat', 'sleep']) {
    const dir = ['/bin', '/usr/bin'].find((each) => readdirSync(each).includes(name)) ?? ''
    symlinkSync(join(dir, name), join(folder.path, name))
  }
  const pid = await killOwner({ ...process.env, PATH: folder.path })
  await expect.poll(() => isGone(pid), { timeout: 15_000 }).toBe(true)
  folder.remove()
}, 30_000)

it('stops a frozen process, and kills one that does not listen', async () => {
  const frozen = spawnOwned('sleep', ['60'])
  frozen.freeze()
  await frozen.stop()
  expect(await frozen.exited).toBe('SIGTERM')

  const lines: string[] = []
  const deaf = spawnOwned('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done'], {
    onLine: (line) => lines.push(line),
  })
  await expect.poll(() => lines).toEqual(['ready'])
  await deaf.stop(200)
  expect(await deaf.exited).toBe('SIGKILL')
})
