import { execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { hasApt, isExecutable, unpackDebian } from './debian.ts'
import { workDir } from './paths.mjs'
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

/** Finds etcd, or gets Debian's where this is Debian, or stops with the command to type. */
export async function provideEtcd(): Promise<EtcdBinaries & { how: string }> {
  const found = findEtcd()
  if (found) return { ...found, how: found.etcd }
  if (process.env.TENURE_TEST_ETCD_BIN) {
    throw new StepFailed(`TENURE_TEST_ETCD_BIN=${process.env.TENURE_TEST_ETCD_BIN} holds no etcd and etcdctl.`)
  }
  if (!hasApt()) throw new StepFailed(`etcd was not found.\n${remedy}`)
  await unpackDebian({ packages: ['etcd-server', 'etcd-client'], into: unpackedDir, log: 'etcd', remedy })
  const unpacked = findEtcd()
  if (!unpacked) throw new StepFailed(`etcd was unpacked into ${unpackedDir}, but does not run.\n${remedy}`)
  return { ...unpacked, how: "Debian's packages, unpacked" }
}
