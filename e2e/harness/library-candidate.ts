/** Candidates of the library in this process, with what they did written down. */
import { type Candidate, type CandidateOptions, createCandidate, type Leadership } from '../../lib/candidate/index.ts'
import { EtcdClient } from '../../lib/etcd/client.ts'

export interface TestCandidate {
  candidate: Candidate
  client: EtcdClient
  /** Every state it was in, oldest first. */
  states: string[]
  /** One entry a term. */
  terms: { leadership: Leadership; endedBy: string | null }[]
  troubles: string[]
  /** How `lead` ended: null when it resolved. */
  ended: Promise<Error | null>
  stop(): Promise<Error | null>
}

export type TestOptions = Omit<CandidateOptions, 'etcd'> & {
  endpoints: readonly string[]
  /** Runs as the work; without it the work waits for the end of its term. */
  work?: (leadership: Leadership) => Promise<void>
  client?: EtcdClient
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Starts one that leads whenever it can, until `stop()`. */
export function startCandidate({ endpoints, work, client: given, ...options }: TestOptions): TestCandidate {
  const client = given ?? new EtcdClient({ endpoints })
  const troubles: string[] = []
  const candidate = createCandidate({
    ttlSeconds: 10,
    ...options,
    etcd: client,
    onTrouble: (error) => {
      troubles.push(error.message)
      options.onTrouble?.(error)
    },
  })
  const states: string[] = [candidate.state]
  candidate.onState((state) => states.push(state))
  const terms: TestCandidate['terms'] = []
  const stopping = new AbortController()
  const ended = candidate
    .lead(
      async (leadership) => {
        const term: TestCandidate['terms'][number] = { leadership, endedBy: null }
        terms.push(term)
        try {
          await (work?.(leadership) ?? untilAborted(leadership.signal))
        } finally {
          term.endedBy = leadership.signal.aborted ? (leadership.signal.reason as { why: string }).why : 'the work'
        }
      },
      { signal: stopping.signal },
    )
    .then(
      () => null,
      (error: Error) => error,
    )
  const stop = async () => {
    stopping.abort()
    const error = await ended
    if (given === undefined) client.close()
    return error
  }
  return { candidate, client, states, terms, troubles, ended, stop }
}

/** Settles when `holds` does; rejects with `what` after the time. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>, withinMs = 10_000) {
  const giveUpAt = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
