/** The thread that owns the SQLite file: a slow disk or a long query holds up nobody but history. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Clock } from '../../../lib/shared/clock.ts'
import type { HistoryState } from '../history.ts'
import { openSqliteHistory } from '../sqlite-history.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './protocol.ts'

const STATE_EVERY_MS = 100

/** Goes on from what the main thread said last. */
class FollowingClock implements Clock {
  private offsetMs = Date.now() - performance.now()
  private heldMs: number | null = null

  follow(nowMs: number): void {
    this.offsetMs = nowMs - performance.now()
  }

  /** Stands still while `work` takes down what was told at `atMs`. */
  during(atMs: number, work: () => void): void {
    this.heldMs = atMs
    work()
    this.heldMs = null
  }

  nowMs(): number {
    return this.heldMs ?? Math.round(this.offsetMs + performance.now())
  }

  monoMs(): number {
    return performance.now()
  }
}

type Answering = Record<string, (...args: readonly unknown[]) => unknown>

function serve(say: (message: FromWorker) => void, options: WorkerOptions & { nowMs: number }) {
  const { nowMs, ...rest } = options
  const clock = new FollowingClock()
  clock.follow(nowMs)
  const log = (level: 'info' | 'warn') => (fields: object, message: string) =>
    say({ type: 'log', level, fields, message })
  const history = openSqliteHistory({ ...rest, clock, log: { info: log('info'), warn: log('warn') } })
  const methods = history as unknown as Answering
  let told: HistoryState = { ok: true }

  const tellState = () => {
    const state = history.state()
    if (JSON.stringify(state) === JSON.stringify(told)) return
    told = state
    say({ type: 'state', state })
  }
  setInterval(tellState, STATE_EVERY_MS).unref()

  const answer = async ({ id, method, args }: Extract<ToWorker, { type: 'asked' }>) => {
    try {
      const value = await methods[method]?.(...args)
      tellState()
      say({ type: 'answered', id, value })
    } catch (error) {
      tellState()
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      say({ type: 'failed', id, name, message })
    }
  }

  return (message: ToWorker) => {
    clock.follow(message.nowMs)
    if (message.type === 'asked') {
      void answer(message)
      return
    }
    for (const { atMs, method, args } of message.calls) clock.during(atMs, () => methods[method]?.(...args))
    say({ type: 'took' })
  }
}

const port = parentPort
if (port === null) throw new Error('history-worker.ts is the entry of a worker thread')
port.on(
  'message',
  serve((message) => port.postMessage(message), workerData),
)
