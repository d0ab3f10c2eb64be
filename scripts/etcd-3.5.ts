import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unpackDebian } from './setup/debian.ts'
import { rootDir, workDir } from './setup/paths.mjs'
import { step } from './setup/step.mjs'

const folder = join(workDir, 'etcd-3.5')
const binaries = join(folder, 'usr', 'bin')

/** `npm run test:etcd35 [-- vitest arguments]`: the real-etcd suites on Debian trixie's etcd 3.5, unpacked. */
export async function testOnEtcd35(args: readonly string[]): Promise<void> {
  await step('etcd 3.5', async () => {
    if (!existsSync(join(binaries, 'etcd'))) {
      await unpackDebian({ packages: ['etcd-server', 'etcd-client'], into: folder, log: 'etcd-3.5', suite: 'trixie' })
    }
    return execFileSync(join(binaries, 'etcd'), ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? ''
  })
  const vitest = join(rootDir, 'node_modules', '.bin', 'vitest')
  const { status } = spawnSync(vitest, ['run', '--project', 'etcd', ...args], {
    cwd: rootDir,
    stdio: 'inherit',
    env: { ...process.env, TENURE_TEST_ETCD_BIN: binaries },
  })
  process.exitCode = status ?? 1
}
