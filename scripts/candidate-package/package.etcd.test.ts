import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { spawnOwned } from '../../e2e/harness/owned-process.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { rootDir } from '../setup/paths.mjs'
import { buildCandidate } from './build.ts'

const run = promisify(execFile)
const folder = makeTempFolder('candidate-package')
let etcd: EtcdCluster

beforeAll(async () => {
  etcd = await startEtcd()
  const built = await buildCandidate()
  const { stdout } = await run('npm', ['pack', built, '--pack-destination', folder.path, '--json'], {
    cwd: folder.path,
  })
  const [{ filename }] = JSON.parse(stdout)
  writeFileSync(join(folder.path, 'package.json'), '{"private":true,"type":"module"}')
  const etcd3 = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')).dependencies.etcd3
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`, `etcd3@${etcd3}`]
  await run('npm', install, { cwd: folder.path })
}, 180_000)

afterAll(async () => {
  await etcd.stop()
  folder.remove()
})

function quickStart(): string {
  const text = readFileSync(join(rootDir, 'docs', 'candidate.md'), 'utf8')
  return /```js\n(import \{ connectEtcd[\s\S]*?)```/.exec(text)?.[1] ?? ''
}

it('runs the quick start of docs/candidate.md from an empty folder, and ends when told', async () => {
  const code = quickStart()
  expect(code.split('\n').length).toBeLessThanOrEqual(21)
  writeFileSync(join(folder.path, 'quick-start.js'), code)
  const lines: string[] = []
  const worker = spawnOwned(process.execPath, ['quick-start.js'], {
    cwd: folder.path,
    env: { ...process.env, ETCD_ENDPOINTS: etcd.endpoints.join(',') },
    onLine: (line) => lines.push(line),
  })
  const giveUpAt = performance.now() + 15_000
  while (lines.length < 2 && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^leading with token 0\.\d+$/), 'settled one batch'])
  process.kill(worker.pid, 'SIGTERM')
  expect(await worker.exited).toBe(0)
  expect((await etcd.etcdctl(['get', '/elections/', '--prefix', '--keys-only'])).stdout).toBe('')
})

it('has types that stand by themselves', async () => {
  const code = `
    import { memoryFence } from 'tenure-candidate/fencing'
    import { type CandidateOptions, connectEtcd, createCandidate, NotLeadingError } from 'tenure-candidate'
    const options: CandidateOptions = { etcd: connectEtcd({ endpoints: ['http://x:1'] }), election: 'a', identity: 'b' }
    const revision: string = await new Promise((resolve) => {
      void createCandidate(options).lead(async ({ token, signal }) => {
        await memoryFence({ state: 0 }).write({ resource: 'books', token }, () => 1)
        if (signal.reason instanceof NotLeadingError) resolve(signal.reason.why)
        resolve(token.revision)
      })
    })
    // @ts-expect-error a token's revision is never a number
    const wrong: number = revision
    void wrong
  `
  writeFileSync(join(folder.path, 'types.ts'), code)
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom',
    'types.ts',
  ]
  const types = ['--types', 'node', '--typeRoots', join(rootDir, 'node_modules', '@types')]
  const tsc = join(rootDir, 'node_modules', '.bin', 'tsc')
  const { stdout } = await run(tsc, [...flags, ...types], { cwd: folder.path }).catch((error) => error)
  expect(stdout).toBe('')
})
