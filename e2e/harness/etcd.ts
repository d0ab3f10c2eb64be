import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type EtcdBinaries, requireEtcd } from '../../scripts/setup/find-etcd.ts'
import { createMember, EtcdEnded, type EtcdMember, envWithoutEtcd, type MemberTls, peerUrl } from './etcd-member.ts'
import type { Place } from './peer-network.ts'
import { freePorts } from './ports.ts'
import { makeTempFolder } from './temp-folder.ts'

export interface StartEtcdOptions {
  members?: 1 | 3
  /** Extra flags for every member, for example `--quota-backend-bytes=16777216`. */
  flags?: readonly string[]
  /** Data and logs go here and are kept; without it, into a temporary folder that goes with `stop()`. */
  dir?: string
  /** Serves clients over TLS; etcdctl then needs its own flags. */
  tls?: MemberTls
  /** One for each member, see `layPeerNetwork`. */
  places?: readonly Place[]
}

export interface EtcdctlResult {
  stdout: string
  stderr: string
  code: number
}

export interface EtcdctlOptions {
  /** Other endpoints than all members, for example one for `snapshot save`. */
  endpoints?: readonly string[]
  timeoutMs?: number
}

export interface EtcdCluster {
  readonly endpoints: string[]
  readonly members: EtcdMember[]
  readonly binaries: EtcdBinaries
  /** As given to `--initial-cluster`, for a snapshot restore that takes a member's place. */
  readonly initialCluster: string
  etcdctl(args: readonly string[], options?: EtcdctlOptions): Promise<EtcdctlResult>
  /** The member that is the etcd raft leader now; waits for one. */
  raftLeader(): Promise<EtcdMember>
  waitHealthy(withinMs?: number): Promise<void>
  stop(): Promise<void>
}

const portAttempts = 5

/**
 * fsync costs most of a test's time and protects only from power cuts. The flag came with 3.5.
 * Election timing stays at the default: it decides the shortest lease.
 */
function speedFlags(version: string): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 3 || minor >= 5 ? ['--unsafe-no-fsync'] : []
}

interface Plan {
  binaries: EtcdBinaries
  count: number
  dir: string
  flags: readonly string[]
  tls?: MemberTls
  places?: readonly Place[]
}

async function planMembers({ binaries, count, dir, flags, tls, places = [] }: Plan) {
  const ports = await freePorts(count * 3)
  const seats = Array.from({ length: count }, (_, index) => ({
    name: `etcd-${index + 1}`,
    clientPort: ports[index * 3] ?? 0,
    peerPort: ports[index * 3 + 1] ?? 0,
    metricsPort: ports[index * 3 + 2] ?? 0,
    ...(places[index] ? { place: places[index] } : {}),
  }))
  const initialCluster = seats.map((seat) => `${seat.name}=${peerUrl(seat)}`).join(',')
  const clusterFlags = [`--initial-cluster=${initialCluster}`, `--initial-cluster-token=tenure-${ports[0]}`]
  const members = seats.map((seat) =>
    createMember({
      ...seat,
      binary: binaries.etcd,
      dataDir: join(dir, seat.name),
      logFile: join(dir, `${seat.name}.log`),
      ...(tls ? { tls } : {}),
      flags: [...clusterFlags, ...speedFlags(binaries.version), ...flags],
    }),
  )
  return { members, initialCluster }
}

async function startMembers(plan: Plan) {
  for (let attempt = 1; ; attempt += 1) {
    const planned = await planMembers(plan)
    const results = await Promise.allSettled(planned.members.map((member) => member.start()))
    const failure = results.find((result) => result.status === 'rejected')?.reason
    if (failure === undefined) return planned
    await Promise.all(planned.members.map((member) => member.stop()))
    if (!(failure instanceof EtcdEnded && failure.isPortClash) || attempt === portAttempts) throw failure
    for (const { dataDir, logFile } of planned.members) {
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(logFile, { force: true })
    }
  }
}

/** Runs etcdctl to its end; a code other than 0 is an answer, not an exception. */
export function runEtcdctl(etcdctl: string, args: readonly string[], timeoutMs = 10_000): Promise<EtcdctlResult> {
  return new Promise((resolve) => {
    execFile(etcdctl, args, { timeout: timeoutMs, env: envWithoutEtcd() }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ stdout, stderr, code })
    })
  })
}

async function findRaftLeader(members: EtcdMember[], etcdctl: EtcdCluster['etcdctl']): Promise<EtcdMember> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    for (const member of members.filter((each) => each.isRunning())) {
      const args = ['--command-timeout=1s', 'endpoint', 'status', '--write-out=json']
      const { stdout, code } = await etcdctl(args, { endpoints: [member.endpoint] })
      // Member ids are 64-bit numbers in this JSON: compare their digits, not parsed numbers.
      const own = /"member_id":(\d+)/.exec(stdout)?.[1]
      if (code === 0 && own !== undefined && own === /"leader":(\d+)/.exec(stdout)?.[1]) return member
    }
    await pause(100)
  }
  throw new Error('no etcd raft leader within 10 s')
}

/**
 * Starts a real etcd of one or three members on free loopback ports and waits until it is healthy.
 * `stop()`, the end of this process, or its death leave no process behind.
 */
export async function startEtcd(options: StartEtcdOptions = {}): Promise<EtcdCluster> {
  const binaries = requireEtcd()
  const temporary = options.dir === undefined ? makeTempFolder('etcd') : undefined
  const dir = options.dir ?? temporary?.path ?? ''
  mkdirSync(dir, { recursive: true })
  const { members: count = 1, flags = [], tls, places } = options
  const plan = { binaries, count, dir, flags, ...(tls ? { tls } : {}), ...(places ? { places } : {}) }
  const { members, initialCluster } = await startMembers(plan).catch((error: unknown) => {
    temporary?.remove()
    throw error
  })
  const endpoints = members.map((member) => member.endpoint)
  const etcdctl: EtcdCluster['etcdctl'] = (args, { endpoints: chosen = endpoints, timeoutMs } = {}) =>
    runEtcdctl(binaries.etcdctl, [`--endpoints=${chosen.join(',')}`, ...args], timeoutMs)

  return {
    endpoints,
    members,
    binaries,
    initialCluster,
    etcdctl,
    raftLeader: () => findRaftLeader(members, etcdctl),
    waitHealthy: async (withinMs = 20_000) => {
      const giveUpAt = performance.now() + withinMs
      while (!(await Promise.all(members.map((member) => member.isHealthy()))).every(Boolean)) {
        if (performance.now() > giveUpAt) throw new Error(`etcd is not healthy after ${withinMs} ms`)
        await pause(100)
      }
    },
    stop: async () => {
      // Killed, not asked: a member that lost its quorum takes seconds to give up its leadership.
      await Promise.all(members.map((member) => (member.isRunning() ? member.kill() : undefined)))
      temporary?.remove()
    },
  }
}
