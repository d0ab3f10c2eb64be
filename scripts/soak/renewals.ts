/** Renews leases over one stream, of another member when one does not answer. */
import { connect } from '../../e2e/harness/raw-etcd.ts'

type Client = ReturnType<typeof connect>
type Stream = Awaited<ReturnType<Client['leaseClient']['leaseKeepAlive']>>

interface Renewed {
  ttlMs: number
  sentMs: number
  answered: boolean
  reportUntilMs: number
}

const TICK_MS = 250
const ANSWER_WITHIN_MS = 1_200

export class Renewals {
  private readonly leases = new Map<string, Renewed>()
  private readonly endpoints: readonly string[]
  private readonly on: { onLost: (lease: string) => void; onAlive: (lease: string, sentMs: number) => void }
  private current: { client: Client; stream: Stream } | null = null
  private opening = false
  private turn = 0

  constructor(
    endpoints: readonly string[],
    on: { onLost: (lease: string) => void; onAlive: (lease: string, sentMs: number) => void },
  ) {
    this.endpoints = endpoints
    this.on = on
    setInterval(() => void this.tick(), TICK_MS)
  }

  add(lease: string, ttlMs: number): void {
    this.leases.set(lease, { ttlMs, sentMs: Date.now(), answered: true, reportUntilMs: 0 })
  }

  drop(lease: string): void {
    this.leases.delete(lease)
  }

  /** For this long, each renewal of the lease is told of: proof that it was alive. */
  reportFor(lease: string, ms: number): void {
    const renewed = this.leases.get(lease)
    if (renewed !== undefined) renewed.reportUntilMs = Date.now() + ms
  }

  private async tick(): Promise<void> {
    if (this.opening) return
    const now = Date.now()
    const late = [...this.leases.values()].some(({ answered, sentMs }) => !answered && now - sentMs > ANSWER_WITHIN_MS)
    if (late) this.close()
    const stream = this.current?.stream ?? (await this.open())
    if (stream === undefined) return
    for (const [lease, renewed] of this.leases) {
      if (!renewed.answered || now - renewed.sentMs < renewed.ttlMs / 3) continue
      renewed.sentMs = Date.now()
      renewed.answered = false
      stream.write({ ID: lease })
    }
  }

  private async open(): Promise<Stream | undefined> {
    this.opening = true
    const endpoint = this.endpoints[this.turn % this.endpoints.length] ?? ''
    const client = connect([endpoint])
    try {
      const stream = await client.leaseClient.leaseKeepAlive()
      const own = { client, stream }
      this.current = own
      stream.on('data', ({ ID, TTL }) => {
        if (this.current === own) this.answered(ID, TTL)
      })
      stream.on('error', () => this.close(own))
      stream.on('end', () => this.close(own))
      return stream
    } catch {
      client.close()
      this.turn += 1
      return undefined
    } finally {
      this.opening = false
    }
  }

  private close(which = this.current): void {
    if (which === null || which !== this.current) return
    this.current = null
    this.turn += 1
    which.client.close()
    for (const renewed of this.leases.values()) renewed.answered = true
  }

  private answered(lease: string, ttl: string): void {
    const renewed = this.leases.get(lease)
    if (renewed === undefined) return
    renewed.answered = true
    if (ttl === '0') {
      this.leases.delete(lease)
      this.on.onLost(lease)
    } else if (Date.now() < renewed.reportUntilMs) this.on.onAlive(lease, renewed.sentMs)
  }
}
