/** Keys of work that was done, with its result: a correct election does not prevent a second run after a crash. */
import { FencingError } from './errors.ts'
import { checkName } from './names.ts'

/** JSON text; `null` when the work gave `undefined`. */
export type RecordedResult = string | null

export interface RunRecords {
  find(key: string): Promise<RecordedResult | undefined>
  record(key: string, result: RecordedResult): Promise<void>
}

const misuse = (message: string) => new FencingError('misuse', message)

export function encodeResult(key: string, result: unknown): RecordedResult {
  if (result === undefined) return null
  let text: string | undefined
  try {
    text = JSON.stringify(result)
  } catch (cause) {
    throw new FencingError('misuse', `The result of run "${key}" is not JSON (${(cause as Error).message}).`, { cause })
  }
  if (text === undefined) throw misuse(`The result of run "${key}" is a ${typeof result}, which JSON does not have.`)
  return text
}

export function decodeResult<R>(recorded: RecordedResult): R {
  return (recorded === null ? undefined : JSON.parse(recorded)) as R
}

export function checkOlderThan({ olderThanMs }: { olderThanMs: number }): number {
  if (typeof olderThanMs !== 'number' || !Number.isSafeInteger(olderThanMs) || olderThanMs < 0) {
    throw new FencingError('bad-input', `olderThanMs is ${olderThanMs}: give whole milliseconds, 0 or more.`)
  }
  return olderThanMs
}

/**
 * The runs of one transaction. A failed run dooms it: committing what it left half done, without its record,
 * would be done again next time.
 */
export class Runs {
  readonly #running = new Set<string>()
  #failure: { error: unknown } | undefined
  #hasEnded = false

  begin(key: string): void {
    if (this.#hasEnded) throw misuse('This write has ended: runOnce belongs into its work, awaited.')
    if (this.#running.has(checkName('key', key))) {
      throw this.fail(misuse(`runOnce("${key}") is already running in this transaction: await the first one.`))
    }
    this.#running.add(key)
  }

  end(key: string): void {
    this.#running.delete(key)
  }

  fail<E>(error: E): E {
    this.#failure ??= { error }
    return error
  }

  /** Before the commit: throws what a run has thrown, also when the caller swallowed it. */
  close(): void {
    this.#hasEnded = true
    if (this.#failure) throw this.#failure.error
    const [key] = this.#running
    if (key !== undefined) throw misuse(`runOnce("${key}") was not awaited: the write was rolled back.`)
  }

  /** The `runOnce` of a transaction. */
  over(records: RunRecords) {
    const run = async <R>(key: string, work: () => R | Promise<R>): Promise<R> => {
      this.begin(key)
      try {
        const known = await records.find(key)
        if (known !== undefined) return decodeResult<R>(known)
        const result = encodeResult(key, await work())
        await records.record(key, result)
        return decodeResult<R>(result)
      } catch (error) {
        throw this.fail(error)
      } finally {
        this.end(key)
      }
    }
    return <R>(key: string, work: () => R | Promise<R>): Promise<R> => {
      const running = run(key, work)
      // Not lost: the write fails with it. A caller that does not await must not bring the process down.
      running.catch(() => {})
      return running
    }
  }
}
