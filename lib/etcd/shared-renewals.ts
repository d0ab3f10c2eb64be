/** One keep-alive stream for all leases of a process; a stream that fails is replaced by one on the next endpoint. */
import { type CallOptions, EtcdError, type KeepAliveStream } from '../election/ports.ts'
import type { LeaseId } from '../election/types.ts'
import { afterArrivals } from './after-arrivals.ts'
import type { Endpoints } from './endpoints.ts'
import { openKeepAlive } from './keep-alive-stream.ts'

interface Line {
  endpoint: string
  stream: Promise<KeepAliveStream>
  closing: AbortController
  /** When the newest answer came. */
  answeredMs: number
}

export class SharedRenewals {
  private readonly hosts: Endpoints
  private line: Line | null = null
  private closed = false

  constructor(hosts: Endpoints) {
    this.hosts = hosts
  }

  async renew(lease: LeaseId, { deadlineMs }: CallOptions): Promise<number> {
    if (this.closed) throw new EtcdError('aborted', 'the client was closed', this.hosts.current())
    this.line ??= this.open()
    const line = this.line
    const sentMs = performance.now()
    try {
      const asked = line.stream.then((stream) => stream.renew(lease, deadlineMs))
      const ttlMs = await inTime(asked, deadlineMs, line.endpoint)
      line.answeredMs = performance.now()
      return ttlMs
    } catch (error) {
      const failure = this.hosts.explain(error, line.endpoint)
      // Dropping a stream that answers others would make all of them late.
      if (failure.kind !== 'deadline' || line.answeredMs < sentMs) this.drop(line)
      throw failure
    }
  }

  close(): void {
    this.closed = true
    this.line?.closing.abort()
    this.line = null
  }

  private open(): Line {
    const endpoint = this.hosts.current()
    const closing = new AbortController()
    const stream = this.hosts.openOwn(endpoint, (client) => openKeepAlive(client, endpoint, closing.signal))
    stream.catch(() => undefined)
    return { endpoint, stream, closing, answeredMs: 0 }
  }

  /** Whoever fails first drops it for all; the others find a new one. */
  private drop(line: Line): void {
    if (this.line !== line) return
    this.line = null
    line.closing.abort()
    this.hosts.avoid(line.endpoint)
  }
}

function inTime<T>(asked: Promise<T>, deadlineMs: number, endpoint: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new EtcdError('deadline', `no renewal within ${Math.round(deadlineMs)} ms`, endpoint))
    const timer = setTimeout(() => afterArrivals(late), deadlineMs)
    asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
