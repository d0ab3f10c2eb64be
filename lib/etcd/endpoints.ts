/** Which endpoint to ask: the one that answered last, and the next one once it fails. */
import type { Etcd3 } from 'etcd3'
import { type CallOptions, EtcdError } from '../election/ports.ts'
import { afterArrivals } from './after-arrivals.ts'
import { connect } from './connection.ts'
import type { Credentials } from './credentials.ts'
import { isEndpointTrouble, translate } from './errors.ts'

/** Asking again at once would only make etcd hash the same wrong password again. */
const WRONG_PASSWORD = /authentication failed/i
const CLOSE_AFTER_MS = 5_000
const GRPC_SLACK_MS = 250

export class Endpoints {
  readonly all: readonly string[]
  private readonly credentials: Credentials
  private readonly clients = new Map<string, Etcd3>()
  /** On which calls may still be waiting. */
  private readonly dropped = new Set<Etcd3>()
  private preferred = 0
  private closed = false

  constructor(endpoints: readonly string[], credentials: Credentials) {
    this.credentials = credentials
    this.all = endpoints
  }

  current(): string {
    const endpoint = this.all[this.preferred % this.all.length]
    if (endpoint === undefined) throw new Error('an etcd client needs at least one endpoint')
    return endpoint
  }

  /** After trouble with `endpoint`; a no-op when another one has been chosen since. */
  avoid(endpoint: string): void {
    if (this.current() === endpoint) this.preferred = (this.preferred + 1) % this.all.length
  }

  explain(error: unknown, endpoint: string): EtcdError {
    return this.credentials.explain(translate(error, endpoint))
  }

  /** A stream on a client of its own, which is closed when the stream cannot be opened. Rejects with `EtcdError`. */
  async openOwn<T>(endpoint: string, open: (client: Etcd3) => Promise<T>): Promise<T> {
    let client: Etcd3 | undefined
    try {
      client = connect(endpoint, this.credentials.read())
      return await open(client)
    } catch (error) {
      client?.close()
      throw this.explain(error, endpoint)
    }
  }

  /** One try at the given endpoint, or one at each until one answers. Rejects with the last `EtcdError`. */
  async call<T>(
    ask: (client: Etcd3, deadline: number) => Promise<T>,
    options: CallOptions,
  ): Promise<{ answer: T; endpoint: string }> {
    const until = performance.now() + options.deadlineMs
    const tries = options.endpoint === undefined ? this.all.length : 1
    let last: EtcdError | undefined
    let relogged = false
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const endpoint = options.endpoint ?? this.current()
      const leftMs = until - performance.now()
      if (last !== undefined && leftMs <= 0) throw last
      if (this.closed || options.signal?.aborted) throw new EtcdError('aborted', 'the call was given up', endpoint)
      const client = this.clientOf(endpoint)
      try {
        const asked = ask(client, Date.now() + leftMs + GRPC_SLACK_MS)
        return { answer: await this.inTime(asked, endpoint, leftMs, options.signal), endpoint }
      } catch (error) {
        last = this.explain(error, endpoint)
        // A new client logs in anew and reads the files anew: expired tokens and replaced certificates mend themselves.
        if (last.kind === 'auth' || last.kind === 'unavailable') this.drop(endpoint, client)
        if (last.kind === 'auth' && !relogged && !WRONG_PASSWORD.test(last.message)) {
          relogged = true
          attempt -= 1
          continue
        }
        if (!isEndpointTrouble(last.kind)) throw last
        if (options.endpoint === undefined) this.avoid(endpoint)
      }
    }
    throw last ?? new EtcdError('unavailable', 'no endpoint to ask', '')
  }

  close(): void {
    this.closed = true
    for (const client of [...this.clients.values(), ...this.dropped]) client.close()
    this.clients.clear()
    this.dropped.clear()
  }

  /** gRPC keeps its deadline by the wall clock, and before it reads what has arrived; this one decides. */
  private inTime<T>(asked: Promise<T>, endpoint: string, leftMs: number, signal: AbortSignal | undefined): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const late = () => reject(new EtcdError('deadline', `no answer within ${Math.round(leftMs)} ms`, endpoint))
      const timer = setTimeout(() => afterArrivals(late), leftMs)
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        settle()
        reject(new EtcdError('aborted', 'the call was given up', endpoint))
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      asked.then(resolve, reject).finally(settle)
    })
  }

  /** Other calls may still be waiting on the client, so it is closed a little later. */
  private drop(endpoint: string, client: Etcd3): void {
    if (this.clients.get(endpoint) !== client) return
    this.clients.delete(endpoint)
    this.dropped.add(client)
    const close = () => this.dropped.delete(client) && client.close()
    setTimeout(close, CLOSE_AFTER_MS).unref()
  }

  private clientOf(endpoint: string): Etcd3 {
    const known = this.clients.get(endpoint)
    if (known !== undefined) return known
    const client = connect(endpoint, this.credentials.read())
    this.clients.set(endpoint, client)
    return client
  }
}
