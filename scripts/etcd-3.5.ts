import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir, workDir } from './setup/paths.mjs'
import { runLogged } from './setup/run-logged.mjs'
import { StepFailed, step } from './setup/step.mjs'

/** Debian trixie has etcd 3.5; its binaries run unpacked on bookworm. */
const SUITE = 'trixie'
const folder = join(workDir, 'etcd-3.5')
const binaries = join(folder, 'usr', 'bin')

/** The archive this machine takes Debian's packages from, so that no address is written down here. */
function debianArchive(): string {
  const format = ['--format', '$(ORIGIN)|$(REPO_URI)|$(COMPONENT)', 'Created-By: Packages']
  const targets = execFileSync('apt-get', ['indextargets', ...format], { encoding: 'utf8' }).split('\n')
  const uri = targets
    .map((line) => line.split('|'))
    .find(([origin, at]) => origin === 'Debian' && !at?.includes('security'))?.[1]
  if (uri === undefined) throw new StepFailed('apt-get knows no archive of Debian: etcd 3.5 cannot be fetched here')
  return uri
}

async function unpack(): Promise<void> {
  const apt = join(workDir, 'apt-3.5')
  for (const each of ['lists/partial', 'cache/archives/partial', 'debs'])
    mkdirSync(join(apt, each), { recursive: true })
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  const sources = join(apt, 'sources.list')
  writeFileSync(sources, `deb [signed-by=${keyring}] ${debianArchive()} ${SUITE} main\n`)
  const settings = {
    'Dir::Etc::sourcelist': sources,
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(apt, 'lists'),
    'Dir::Cache': join(apt, 'cache'),
    'APT::Sandbox::User': 'root',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  await runLogged('apt-get', [...options, 'update'], { log: 'etcd-3.5-update' })
  const debs = join(apt, 'debs')
  await runLogged('apt-get', [...options, 'download', 'etcd-server', 'etcd-client'], {
    log: 'etcd-3.5-download',
    cwd: debs,
  })
  for (const file of readdirSync(debs))
    await runLogged('dpkg-deb', ['-x', join(debs, file), folder], { log: 'etcd-3.5-unpack' })
  rmSync(apt, { recursive: true })
}

/** `npm run test:etcd35 [-- vitest arguments]`: the real-etcd suites on etcd 3.5. */
export async function testOnEtcd35(args: readonly string[]): Promise<void> {
  await step('etcd 3.5', async () => {
    if (!existsSync(join(binaries, 'etcd'))) await unpack()
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
