/** The guard for a resource that lives in this process, and for tests of code that writes through one. */
import { compareTokens, type FencingToken } from '../election/epoch.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { checkGuarded, countRejections, type Fence, type FencedTx, type FenceOptions, type Guarded } from './fence.ts'
import { checkName } from './names.ts'
import { refuseNesting } from './nesting.ts'
import { checkOlderThan, type RecordedResult, Runs } from './runs.ts'

export interface MemoryFence<State> extends Fence<FencedTx<State>> {
  /** A copy of the state as last committed. */
  read(): State
}

export interface MemoryFenceOptions<State> extends FenceOptions {
  /** What `tx.db` is a copy of (by `structuredClone`); without it, writes guard state of your own. */
  state?: State
  clock?: Clock
}

interface Run {
  result: RecordedResult
  atMs: number
}

const runId = (resource: string, key: string) => JSON.stringify([resource, key])

/** One after the other; a failure does not stop what waits behind it. */
function oneAtATime(): <R>(work: () => Promise<R>) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}

/** What several guards share; for one of its own, `memoryFence`. */
export class MemoryStore<State> {
  readonly accepted = new Map<string, FencingToken>()
  readonly runs = new Map<string, Run>()
  readonly inTurn = oneAtATime()
  readonly clock: Clock
  state: State

  constructor(state: State, clock: Clock = systemClock) {
    this.state = structuredClone(state)
    this.clock = clock
  }
}

/** The runs of one write; they join the others when it succeeds. */
function draftRuns({ runs, clock }: MemoryStore<unknown>, resource: string) {
  const added = new Map<string, Run>()
  const unit = new Runs()
  const runOnce = unit.over({
    find: async (key) => (added.get(runId(resource, key)) ?? runs.get(runId(resource, key)))?.result,
    record: async (key, result) => void added.set(runId(resource, key), { result, atMs: clock.nowMs() }),
  })
  const commit = () => {
    for (const [id, run] of added) runs.set(id, run)
  }
  return { runOnce, close: () => unit.close(), commit }
}

export function fenceOver<State>(store: MemoryStore<State>, options: FenceOptions): MemoryFence<State> {
  const rejections = countRejections(options)
  const nest = refuseNesting()
  const { accepted, runs, clock } = store

  async function attempt<R>(guarded: Guarded, work: (tx: FencedTx<State>) => R | Promise<R>): Promise<R> {
    const { resource, token } = guarded
    const held = accepted.get(resource)
    if (held && compareTokens(token, held) < 0) throw rejections.refuse(guarded, held)
    const db = structuredClone(store.state)
    const { runOnce, close, commit } = draftRuns(store, resource)
    const result = await work({ resource, token, db, runOnce })
    close()
    // Copied again: who keeps the draft must not be able to change what was committed.
    store.state = structuredClone(db)
    commit()
    accepted.set(resource, token)
    return result
  }

  return {
    write: async (guarded, work) => {
      const checked = checkGuarded(guarded)
      return nest(() => store.inTurn(() => attempt(checked, work)))
    },
    highest: async (resource) => accepted.get(checkName('resource', resource)) ?? null,
    pruneRuns: async (older) => {
      const beforeMs = clock.nowMs() - checkOlderThan(older)
      const old = [...runs].filter(([, run]) => run.atMs < beforeMs)
      for (const [id] of old) runs.delete(id)
      return old.length
    },
    get rejected() {
      return rejections.count
    },
    read: () => structuredClone(store.state),
  }
}

/**
 * Guards `state` in this process alone: `tx.db` is a copy of it that takes its place when `work` succeeds.
 * Tokens are forgotten with the process, so never put it in front of anything that outlives one. All writes
 * happen one after the other, whatever their resource.
 */
export function memoryFence<State = undefined>(options: MemoryFenceOptions<State> = {}): MemoryFence<State> {
  return fenceOver(new MemoryStore(options.state as State, options.clock), options)
}
