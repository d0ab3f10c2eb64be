import { execFileSync } from 'node:child_process'
import { chownSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPostgres, type PostgresBinaries } from '../../scripts/setup/find-postgres.ts'
import { type OwnedProcess, spawnOwned, within } from './owned-process.ts'
import { freePort } from './ports.ts'
import { makeTempFolder } from './temp-folder.ts'

export interface Postgres {
  /** For `new pg.Pool(connection)`; everybody on this machine may connect. */
  readonly connection: { host: string; port: number; user: string; database: string }
  readonly version: string
  readonly pid: number
  readonly dataDir: string
  /** What the server has logged so far. */
  log(): string
  /** Ends every session, the server, and its folder. */
  stop(): Promise<void>
}

interface Account {
  uid: number
  gid: number
}

/** Why there is no PostgreSQL here to test with, for the name of what is skipped; undefined when there is one. */
export function postgresMissing(): string | undefined {
  if (findPostgres() === undefined)
    return 'no postgres and initdb on the PATH, in /usr/lib/postgresql or TENURE_TEST_POSTGRES_BIN'
  if (!hasSetpriv()) return 'no setpriv, by which the server ends when its owner does'
  if (isRoot() && account() === undefined) return 'PostgreSQL refuses root, and there is no user postgres to run it as'
  return undefined
}

function hasSetpriv(): boolean {
  try {
    return execFileSync('setpriv', ['--help'], { encoding: 'utf8' }).includes('--pdeathsig')
  } catch {
    return false
  }
}

const isRoot = () => process.getuid?.() === 0

function account(): Account | undefined {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('postgres:'))
  const [, , uid, gid] = entry?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

/**
 * PostgreSQL's own processes leave its process group, so the server is told to end them: a SIGQUIT when we
 * die. It is set after the change of user, which would clear it.
 */
function asAccount(owner: Account | undefined): { command: string; args: string[] } {
  const change = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : []
  return { command: 'setpriv', args: [...change, '--pdeathsig', 'QUIT', '--'] }
}

interface Plan {
  binaries: PostgresBinaries
  dir: string
  owner: Account | undefined
}

function createData({ binaries, dir, owner }: Plan): string {
  const dataDir = join(dir, 'data')
  const flags = [
    '--auth=trust',
    '--username=postgres',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]
  const { command, args } = asAccount(owner)
  execFileSync(command, [...args, binaries.initdb, '-D', dataDir, ...flags], {
    cwd: dir,
    stdio: 'pipe',
    env: cleanEnv(),
  })
  return dataDir
}

/** PGDATA, PGPORT and the like would be taken as settings. */
function cleanEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return Object.fromEntries(kept) as NodeJS.ProcessEnv
}

function launch({ binaries, dir, owner }: Plan, dataDir: string, port: number): OwnedProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '60',
    shared_buffers: '16MB',
    // Protects only from power cuts, and costs most of the time.
    fsync: 'off',
    // In the folder, which is removed, instead of the machine's shared memory.
    dynamic_shared_memory_type: 'mmap',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { command, args } = asAccount(owner)
  const logFile = join(dir, 'log')
  return spawnOwned(command, [...args, binaries.postgres, '-D', dataDir, ...flags], {
    cwd: dir,
    logFile,
    env: cleanEnv(),
  })
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => resolve(false)).setTimeout(1_000, () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
}

async function ready(server: OwnedProcess, log: () => string, port: number): Promise<boolean> {
  const giveUpAt = performance.now() + 20_000
  while (!(log().includes('ready to accept connections') && (await answers(port)))) {
    if (!server.isRunning()) return false
    if (performance.now() > giveUpAt) throw new Error(`PostgreSQL is not ready after 20 s:\n${log()}`)
    await pause(20)
  }
  return true
}

/** Fast shutdown first: a killed server leaves a segment of shared memory to the machine. */
async function stopServer(server: OwnedProcess): Promise<void> {
  if (server.isRunning()) {
    process.kill(server.pid, 'SIGINT')
    process.kill(server.pid, 'SIGCONT')
  }
  if (!(await within(10_000, server.exited))) await server.kill()
}

/**
 * Starts a real PostgreSQL on a free loopback port, with its data in a temporary folder. As root it runs as
 * the user `postgres`. `stop()`, the end of this process, or its death leave nothing behind.
 */
export async function startPostgres(): Promise<Postgres> {
  const binaries = findPostgres()
  if (!binaries) throw new Error(postgresMissing())
  const folder = makeTempFolder('postgres')
  const owner = isRoot() ? account() : undefined
  const plan = { binaries, dir: folder.path, owner }
  const log = () => readFileSync(join(folder.path, 'log'), 'utf8')
  try {
    if (owner) chownSync(folder.path, owner.uid, owner.gid)
    const dataDir = createData(plan)
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort()
      const server = launch(plan, dataDir, port)
      if (await ready(server, log, port)) {
        const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }
        const stop = async () => {
          await stopServer(server)
          folder.remove()
        }
        return { connection, version: binaries.version, pid: server.pid, dataDir, log, stop }
      }
      if (attempt === 5 || !log().includes('could not bind')) throw new Error(`PostgreSQL ended:\n${log()}`)
      rmSync(join(folder.path, 'log'))
    }
  } catch (error) {
    folder.remove()
    throw error
  }
}
