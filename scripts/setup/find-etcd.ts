import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { workDir } from './paths.mjs'
import { runLogged } from './run-logged.mjs'
import { StepFailed } from './step.mjs'

export interface EtcdBinaries {
  etcd: string
  etcdctl: string
  /** As the binary says, for example `3.4.23`. */
  version: string
}

const unpackedDir = join(workDir, 'etcd')
const remedy =
  'Remedy: type `apt-get update && apt-get install etcd-server etcd-client` as root, or put `etcd` and ' +
  '`etcdctl` of https://github.com/etcd-io/etcd/releases on the PATH.'

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function searchDirs(): string[] {
  const chosen = process.env.TENURE_TEST_ETCD_BIN
  if (chosen) return [chosen]
  return [...(process.env.PATH ?? '').split(delimiter), join(unpackedDir, 'usr', 'bin')].filter((dir) => dir !== '')
}

function versionOf(etcd: string): string {
  const output = execFileSync(etcd, ['--version'], { encoding: 'utf8' })
  return /etcd Version: (\S+)/.exec(output)?.[1] ?? 'unknown'
}

/** Looks in TENURE_TEST_ETCD_BIN alone when it is set, else on the PATH, else in what was unpacked here. */
export function findEtcd(): EtcdBinaries | undefined {
  for (const dir of searchDirs()) {
    const etcd = join(dir, 'etcd')
    const etcdctl = join(dir, 'etcdctl')
    if (isExecutable(etcd) && isExecutable(etcdctl)) return { etcd, etcdctl, version: versionOf(etcd) }
  }
  return undefined
}

/** For tests: they never download. */
export function requireEtcd(): EtcdBinaries {
  const found = findEtcd()
  if (!found) throw new Error(`etcd and etcdctl were not found in ${searchDirs().join(', ')}.\n${remedy}`)
  return found
}

/**
 * apt's package lists kept in a folder of our own: works without root and on images that ship none.
 * The sandbox user would not be allowed to write below a private checkout.
 */
function privateAptOptions(aptDir: string): string[] {
  mkdirSync(join(aptDir, 'lists', 'partial'), { recursive: true })
  mkdirSync(join(aptDir, 'cache', 'archives', 'partial'), { recursive: true })
  const options = { 'Dir::State::lists': join(aptDir, 'lists'), 'Dir::Cache': join(aptDir, 'cache') }
  return Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

async function download(downloadDir: string): Promise<void> {
  const packages = ['etcd-server', 'etcd-client']
  const sandbox = ['-o', 'APT::Sandbox::User=root']
  try {
    await runLogged('apt-get', [...sandbox, 'download', ...packages], { log: 'etcd-download', cwd: downloadDir })
  } catch {
    const own = [...sandbox, ...privateAptOptions(join(workDir, 'apt'))]
    await runLogged('apt-get', [...own, 'update'], { log: 'etcd-update', remedy })
    await runLogged('apt-get', [...own, 'download', ...packages], { log: 'etcd-download', cwd: downloadDir, remedy })
  }
}

/** Unpacks Debian's packages into an ignored folder: needs no root and starts no service. */
async function unpackDebianEtcd(): Promise<void> {
  const downloadDir = join(workDir, 'etcd-packages')
  mkdirSync(downloadDir, { recursive: true })
  await download(downloadDir)
  for (const file of readdirSync(downloadDir).filter((name) => name.endsWith('.deb'))) {
    await runLogged('dpkg-deb', ['-x', join(downloadDir, file), unpackedDir], { log: 'etcd-unpack', remedy })
  }
  rmSync(downloadDir, { recursive: true, force: true })
  rmSync(join(workDir, 'apt'), { recursive: true, force: true })
}

const isOnPath = (command: string) =>
  (process.env.PATH ?? '').split(delimiter).some((dir) => isExecutable(join(dir, command)))

/** Finds etcd, or gets Debian's where this is Debian, or stops with the command to type. */
export async function provideEtcd(): Promise<EtcdBinaries & { how: string }> {
  const found = findEtcd()
  if (found) return { ...found, how: found.etcd }
  if (process.env.TENURE_TEST_ETCD_BIN) {
    throw new StepFailed(`TENURE_TEST_ETCD_BIN=${process.env.TENURE_TEST_ETCD_BIN} holds no etcd and etcdctl.`)
  }
  if (!isOnPath('apt-get') || !isOnPath('dpkg-deb')) throw new StepFailed(`etcd was not found.\n${remedy}`)
  await unpackDebianEtcd()
  const unpacked = findEtcd()
  if (!unpacked) throw new StepFailed(`etcd was unpacked into ${unpackedDir}, but does not run.\n${remedy}`)
  return { ...unpacked, how: "Debian's packages, unpacked" }
}
