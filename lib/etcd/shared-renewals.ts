/** One keep-alive stream for all leases of a process; a stream that fails is replaced by one on the next endpoint. */
import { type CallOptions, EtcdError, type KeepAliveStream } from '../election/ports.ts'
import type { LeaseId } from '../election/types.ts'
import type { Endpoints } from './endpoints.ts'
import { openKeepAlive } from './keep-alive-stream.ts'

interface Line {
  endpoint: string
  stream: Promise<KeepAliveStream>
  closing: AbortController
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
    try {
      return await inTime(
        line.stream.then((stream) => stream.renew(lease, deadlineMs)),
        deadlineMs,
        line.endpoint,
      )
    } catch (error) {
      this.drop(line)
      throw this.hosts.explain(error, line.endpoint)
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
    return { endpoint, stream, closing }
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
    const timer = setTimeout(late, deadlineMs)
    asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
