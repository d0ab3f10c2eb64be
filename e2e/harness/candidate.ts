import { join } from 'node:path'
import type { Seat, SeatEvent, SeatEventType } from '../../examples/workers/seat.ts'
import { requireEtcd } from '../../scripts/setup/find-etcd.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'
import { envWithoutEtcd } from './etcd-member.ts'
import { type OwnedProcess, spawnOwned } from './owned-process.ts'

export type { Seat, SeatEvent, SeatEventType }

/** The process of one or several sample workers. */
export interface WorkerProcess extends OwnedProcess {
  /** Everything the workers reported, oldest first. */
  readonly events: SeatEvent[]
  onEvent(listener: (event: SeatEvent) => void): void
  /** The first report of this type by this worker (or any), also one that came before; rejects after the time. */
  waitFor(type: SeatEventType, options?: { name?: string; withinMs?: number; skip?: number }): Promise<SeatEvent>
  /** Give up leadership and queue again. */
  resign(name?: string): void
  /** Give up the lease and end this worker; its process goes on. */
  leave(name?: string): void
}

export interface SpawnWorkersOptions {
  endpoints: readonly string[]
  seats: readonly Seat[]
  logFile?: string
}

const runFile = join(rootDir, 'examples', 'workers', 'run.ts')

/** Starts sample workers (`examples/workers/run.ts`) in a process of their own. */
export function spawnWorkers({ endpoints, seats, logFile }: SpawnWorkersOptions): WorkerProcess {
  const events: SeatEvent[] = []
  const listeners = new Set<(event: SeatEvent) => void>()
  const owned = spawnOwned(process.execPath, [runFile, endpoints.join(','), JSON.stringify(seats)], {
    stdin: 'pipe',
    logFile,
    onLine: (line) => {
      const event: SeatEvent = JSON.parse(line)
      events.push(event)
      for (const listener of listeners) listener(event)
    },
  })
  const firstName = seats[0]?.name ?? ''

  return Object.assign(owned, {
    events,
    onEvent: (listener: (event: SeatEvent) => void) => void listeners.add(listener),
    waitFor: (type: SeatEventType, { name, withinMs = 15_000, skip = 0 } = {}) =>
      new Promise<SeatEvent>((resolve, reject) => {
        const fits = (event: SeatEvent) => event.type === type && (name === undefined || event.name === name)
        const check = () => {
          const found = events.filter(fits)[skip]
          if (!found) return
          settle()
          resolve(found)
        }
        const fail = (reason: string) => {
          settle()
          reject(new Error(`no "${type}" of ${name ?? 'any worker'}: ${reason}; got ${JSON.stringify(events)}`))
        }
        const timer = setTimeout(() => fail(`not within ${withinMs} ms`), withinMs)
        const settle = () => {
          clearTimeout(timer)
          listeners.delete(check)
        }
        listeners.add(check)
        check()
      }),
    resign: (name = firstName) => owned.writeLine(`resign ${name}`),
    leave: (name = firstName) => owned.writeLine(`leave ${name}`),
  } satisfies Omit<WorkerProcess, keyof OwnedProcess>)
}

export interface SpawnCandidateOptions {
  endpoints: readonly string[]
  /** Without the slash before the lease. */
  prefix: string
  /** Its identity: the value of its key. */
  name: string
  ttlSeconds?: number
  seat?: Partial<Seat>
}

/** One candidate in the Go key layout in a process of its own: to be killed, frozen, thawed or told to resign. */
export function spawnCandidate(options: SpawnCandidateOptions): WorkerProcess {
  const { endpoints, prefix, name, ttlSeconds = 5, seat = {} } = options
  return spawnWorkers({ endpoints, seats: [{ kind: 'queue', prefix, name, ttlSeconds, ...seat }] })
}

/** A real foreign candidate: `etcdctl elect`. It resigns on `stop()` and just vanishes on `kill()`. */
export function spawnElect(options: {
  endpoints: readonly string[]
  election: string
  value: string
  logFile?: string
  /** Its key and its value, a line each, once it is elected. */
  onLine?: (line: string) => void
}): OwnedProcess {
  const { endpoints, election, value, logFile, onLine } = options
  const args = [`--endpoints=${endpoints.join(',')}`, 'elect', election, value]
  return spawnOwned(requireEtcd().etcdctl, args, { logFile, onLine, env: envWithoutEtcd() })
}
