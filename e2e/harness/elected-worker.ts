/** Workers that lead by the candidate library, each in a process of its own: to be killed, frozen, cut off. */
import { join } from 'node:path'
import type { FencingToken } from '../../lib/election/epoch.ts'
import type { CandidateState } from '../../lib/election/presence.ts'
import { workDir } from '../../scripts/setup/paths.mjs'
import { eventually } from './library-candidate.ts'
import { type OwnedProcess, spawnOwned } from './owned-process.ts'

export interface WorkerPlan {
  name: string
  endpoints: readonly string[]
  election: string
  ttlSeconds: number
  /** Of the fenced resource. */
  socket: string
  layout?: 'queue' | 'single-key'
  metaPrefix?: string
  credentials?: { user: string; passwordFile: string }
  /** 20 when left out. */
  writeEveryMs?: number
  /** Goes on after the end of its term: proclaims, and writes without a proof. */
  isStubborn?: boolean
  /** Of the Go peer: resigns when its session has ended. */
  resignsOnLoss?: boolean
  /** Tells each acknowledged renewal. */
  tellsRenewals?: boolean
}

/** A worker waits for `enter` before it campaigns. */
export type Order = { do: 'enter' } | { do: 'resign'; reason: string } | { do: 'block'; ms: number } | { do: 'end' }

/** What a worker comes to know. Times as of `machineMs`. */
export type Told =
  | { type: 'ready'; atMs: number }
  | { type: 'state'; state: CandidateState; atMs: number; wallMs: number }
  | { type: 'trouble'; name: string; kind: string; message: string; atMs: number }
  | { type: 'renewed'; atMs: number }
  | { type: 'resigning'; atMs: number }
  | { type: 'leading'; token: FencingToken; fromMs: number }
  | Ended
  | { type: 'woke'; fromMs: number; sawLeading: string[] }
  | { type: 'went on'; proclaimed: string; rejected: number; atMs: number }
  | { type: 'left'; error: string | null; rejected: number }

export interface Ended {
  type: 'ended'
  token: FencingToken
  fromMs: number
  /** The last time it asked whether it still leads and was told so. */
  provenMs: number
  /** When its signal aborted. */
  learnedMs: number
  /** How often its signal aborted. */
  ended: number
  why: string
  rejected: number
}

type TypeOf = Told['type']
type Of<T extends TypeOf> = Extract<Told, { type: T }>

export interface ElectedWorker extends OwnedProcess {
  readonly plan: WorkerPlan
  /** Oldest first. */
  readonly told: readonly Told[]
  /** The output that was not meant for us: warnings and crashes. */
  all<T extends TypeOf>(type: T): Of<T>[]
  /** The `nth` (from 0) of this type, once it is told. */
  first<T extends TypeOf>(type: T, options?: { nth?: number; withinMs?: number }): Promise<Of<T>>
  /** The next one of this type that is told from now on. */
  next<T extends TypeOf>(type: T, withinMs?: number): Promise<Of<T>>
  /** The token it leads with now. */
  leadsWith(): FencingToken | null
  order(order: Order): void
}

const program = join(import.meta.dirname, 'elected-worker-program.ts')

export interface SpawnWorkerOptions {
  env?: Record<string, string>
  logFile?: string
  /** Another program that takes a plan and tells the same lines. */
  command?: readonly [string, ...string[]]
}

export function spawnElectedWorker(
  plan: WorkerPlan,
  { env, logFile, command: [file, ...args] = [process.execPath, program] }: SpawnWorkerOptions = {},
): ElectedWorker {
  const told: Told[] = []
  const owned = spawnOwned(file, [...args, JSON.stringify(plan)], {
    stdin: 'pipe',
    // Many of them start in a suite: what one has compiled, the next ones need not.
    env: { ...process.env, NODE_COMPILE_CACHE: join(workDir, 'compile-cache'), ...env },
    onLine: (line) => told.push(JSON.parse(line)),
    ...(logFile && { logFile }),
  })
  const all = <T extends TypeOf>(type: T) => told.filter((each): each is Of<T> => each.type === type)
  const first = async <T extends TypeOf>(type: T, { nth = 0, withinMs = 15_000 } = {}) => {
    await eventually(`"${type}" (${nth}) of ${plan.name}`, () => all(type).length > nth, withinMs)
    return all(type)[nth] as Of<T>
  }
  return Object.assign(owned, {
    plan,
    told,
    all,
    first,
    next: <T extends TypeOf>(type: T, withinMs?: number) => first(type, { nth: all(type).length, withinMs }),
    leadsWith: () => {
      const [leading, ended] = [all('leading'), all('ended')]
      return leading.length > ended.length ? (leading.at(-1)?.token ?? null) : null
    },
    order: (order: Order) => owned.writeLine(JSON.stringify(order)),
  })
}
