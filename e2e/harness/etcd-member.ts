import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type OwnedProcess, spawnOwned } from './owned-process.ts'
import type { Place } from './peer-network.ts'

export interface MemberConfig {
  name: string
  binary: string
  clientPort: number
  peerPort: number
  dataDir: string
  logFile: string
  flags: readonly string[]
  /** Serves clients over TLS; health is then asked over plain HTTP at `metricsPort`. */
  tls?: MemberTls
  metricsPort?: number
  /** In a network namespace of its own instead of on the loopback. */
  place?: Place
}

export interface MemberTls {
  certFile: string
  keyFile: string
  /** Clients must show a certificate of this authority. */
  clientCaFile?: string
}

export interface StartMemberOptions {
  /** How long to wait for the member to be healthy; 0 does not wait (it cannot be without a quorum). */
  healthyWithinMs?: number
}

export interface EtcdMember {
  readonly name: string
  /** `http://127.0.0.1:<port>`, or where its `place` is; stays the same over restarts. */
  readonly endpoint: string
  readonly peerUrl: string
  readonly dataDir: string
  readonly logFile: string
  readonly pid: number
  isRunning(): boolean
  /** Answers as healthy: it sees an etcd raft leader and a linearizable read works. */
  isHealthy(): Promise<boolean>
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  stop(): Promise<void>
  /** Starts it again on the same ports and data. */
  start(options?: StartMemberOptions): Promise<void>
}

export class EtcdEnded extends Error {
  readonly isPortClash: boolean
  constructor(config: MemberConfig, log: string) {
    super(`etcd member ${config.name} ended:\n${log.trimEnd().split('\n').slice(-5).join('\n')}`)
    this.isPortClash = log.includes('address already in use')
  }
}

/** etcd refuses a flag that the environment sets as well. */
function cleanEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^ETCD(CTL)?_/.test(name))
  return Object.fromEntries(kept) as NodeJS.ProcessEnv
}

export { cleanEnv as envWithoutEtcd }

const clientUrl = ({ clientPort, tls, place }: MemberConfig) =>
  `${tls ? 'https' : 'http'}://${place?.clientHost ?? '127.0.0.1'}:${clientPort}`

export const peerUrl = ({ peerPort, place }: Pick<MemberConfig, 'peerPort' | 'place'>) =>
  `http://${place?.peerHost ?? '127.0.0.1'}:${peerPort}`

function tlsFlags({ tls, metricsPort }: MemberConfig): string[] {
  if (!tls) return []
  const mutual = tls.clientCaFile ? [`--trusted-ca-file=${tls.clientCaFile}`, '--client-cert-auth'] : []
  const metrics = `--listen-metrics-urls=http://127.0.0.1:${metricsPort}`
  return [`--cert-file=${tls.certFile}`, `--key-file=${tls.keyFile}`, metrics, ...mutual]
}

function spawnMember(config: MemberConfig): OwnedProcess {
  const client = clientUrl(config)
  const peer = peerUrl(config)
  const flags = {
    name: config.name,
    'data-dir': config.dataDir,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    logger: 'zap',
  }
  const args = [
    ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    ...tlsFlags(config),
    ...config.flags,
  ]
  const { binary, place, logFile } = config
  const [file, ...before] = place ? ['ip', 'netns', 'exec', place.namespace, binary] : [binary]
  return spawnOwned(file ?? binary, [...before, ...args], { logFile, env: cleanEnv() })
}

async function askHealth(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(`${endpoint}/health`, { signal: AbortSignal.timeout(1_000) })
    const body = (await response.json()) as { health?: string }
    return body.health === 'true'
  } catch {
    return false
  }
}

export function createMember(config: MemberConfig): EtcdMember {
  const endpoint = clientUrl(config)
  const healthUrl = config.tls ? `http://127.0.0.1:${config.metricsPort}` : endpoint
  let child: OwnedProcess | undefined
  const current = () => {
    if (!child) throw new Error(`etcd member ${config.name} was never started`)
    return child
  }
  const isHealthy = () => askHealth(healthUrl)

  async function waitHealthy(withinMs: number): Promise<void> {
    const giveUpAt = performance.now() + withinMs
    while (!(await isHealthy())) {
      if (!current().isRunning()) throw new EtcdEnded(config, readFileSync(config.logFile, 'utf8'))
      if (performance.now() > giveUpAt)
        throw new Error(`etcd member ${config.name} is not healthy after ${withinMs} ms`)
      await pause(50)
    }
  }

  return {
    name: config.name,
    endpoint,
    peerUrl: peerUrl(config),
    dataDir: config.dataDir,
    logFile: config.logFile,
    get pid() {
      return current().pid
    },
    isRunning: () => child?.isRunning() ?? false,
    isHealthy,
    kill: () => current().kill(),
    freeze: () => current().freeze(),
    thaw: () => current().thaw(),
    stop: async () => child?.stop(),
    start: async ({ healthyWithinMs = 20_000 } = {}) => {
      if (child?.isRunning()) throw new Error(`etcd member ${config.name} runs already`)
      child = spawnMember(config)
      if (healthyWithinMs > 0) await waitHealthy(healthyWithinMs)
    },
  }
}
