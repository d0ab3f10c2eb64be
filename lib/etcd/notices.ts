/** Notices of changes for many listeners over one watch stream: what changed, a read must say. */
import type { Etcd3, IWatchResponse } from 'etcd3'
import type { KeySpan, Notice } from '../election/ports.ts'
import type { Revision } from '../election/types.ts'
import { latin1 } from '../shared/bytes.ts'
import { compareDecimal } from '../shared/decimal.ts'
import { STREAM_OPTIONS } from './connection.ts'
import type { Endpoints } from './endpoints.ts'

const PING_EVERY_MS = 1_000
const SILENT_AFTER_MS = 3_000
/** A watch refused on a stream younger than this is refused for good; on an older one its login may have expired. */
const YOUNG_MS = 1_000

type Listener = (notice: Notice) => void
type Stream = Awaited<ReturnType<Etcd3['watchClient']['watch']>>

interface Watch {
  id: string
  name: string
  span: KeySpan
  /** Everything from here on is told. */
  from: Revision
  /** Newest revision of which this watch has told. */
  told: Revision
  listeners: Set<Listener>
}

export class SharedNotices {
  private readonly hosts: Endpoints
  private line: NoticeLine | null = null
  private closed = false

  constructor(hosts: Endpoints) {
    this.hosts = hosts
  }

  notice(span: KeySpan, from: Revision, listener: Listener): () => void {
    if (this.closed) return loseSoon(listener)
    if (this.line === null || this.line.ended) this.line = new NoticeLine(this.hosts)
    return this.line.listen(span, from, listener)
  }

  close(): void {
    this.closed = true
    this.line?.end()
  }
}

/** One stream and the watches on it. It never resumes: when it ends, each listener is told so and reads anew. */
class NoticeLine {
  ended = false
  private readonly hosts: Endpoints
  private readonly endpoint: string
  private readonly openedMs = performance.now()
  private readonly byId = new Map<string, Watch>()
  private readonly byName = new Map<string, Watch>()
  private nextId = 1
  private heardMs = performance.now()
  private stream: Stream | null = null
  private client: Etcd3 | null = null
  private ping: ReturnType<typeof setInterval> | undefined

  constructor(hosts: Endpoints) {
    this.hosts = hosts
    this.endpoint = hosts.current()
    void this.open()
    this.ping = setInterval(() => this.checkAlive(), PING_EVERY_MS)
  }

  listen(span: KeySpan, from: Revision, listener: Listener): () => void {
    const name = `${latin1(span.key)}\u0000${latin1(span.end)}`
    const known = this.byName.get(name)
    const watch = known !== undefined && compareDecimal(known.from, from) <= 0 ? known : this.watch(name, span, from)
    watch.listeners.add(listener)
    // It came before this listener did.
    if (compareDecimal(watch.told, from) >= 0)
      queueMicrotask(() => watch.listeners.has(listener) && listener('changed'))
    return () => {
      watch.listeners.delete(listener)
      if (watch.listeners.size === 0) this.forget(watch)
    }
  }

  end(): void {
    if (this.ended) return
    this.ended = true
    clearInterval(this.ping)
    this.stream?.cancel()
    this.client?.close()
    for (const watch of this.byId.values()) tell(watch, 'lost')
    this.byId.clear()
    this.byName.clear()
  }

  private async open(): Promise<void> {
    try {
      const stream = await this.hosts.openOwn(this.endpoint, async (client) => {
        this.client = client
        return client.watchClient.watch(STREAM_OPTIONS)
      })
      if (this.ended) return this.endStream(stream)
      stream.on('data', (response: IWatchResponse) => this.hear(response))
      stream.on('error', () => this.fail())
      stream.on('end', () => this.fail())
      this.stream = stream
      for (const watch of this.byId.values()) this.create(watch)
    } catch {
      this.fail()
    }
  }

  private endStream(stream: Stream): void {
    stream.cancel()
    this.client?.close()
  }

  private fail(): void {
    if (this.ended) return
    this.hosts.avoid(this.endpoint)
    this.end()
  }

  /** TCP may keep a dead connection open for minutes; a stream that does not answer pings is dead. */
  private checkAlive(): void {
    if (performance.now() - this.heardMs > SILENT_AFTER_MS) this.fail()
    else if (this.byId.size === 0) this.end()
    else this.stream?.write({ progress_request: {} })
  }

  private hear(response: IWatchResponse): void {
    this.heardMs = performance.now()
    const watch = this.byId.get(response.watch_id)
    if (watch === undefined) return
    if (response.canceled) {
      const mayBeLogin = performance.now() - this.openedMs > YOUNG_MS
      if (mayBeLogin) this.end()
      else {
        this.drop(watch)
        tell(watch, 'lost')
      }
      return
    }
    const last = response.events.at(-1)?.kv.mod_revision as Revision | undefined
    if (last === undefined) return
    watch.told = last
    tell(watch, 'changed')
  }

  private watch(name: string, span: KeySpan, from: Revision): Watch {
    const watch: Watch = { id: String(this.nextId), name, span, from, told: '0' as Revision, listeners: new Set() }
    this.nextId += 1
    this.byId.set(watch.id, watch)
    this.byName.set(name, watch)
    if (this.stream !== null) this.create(watch)
    return watch
  }

  private create({ id, span, from }: Watch): void {
    const range = { key: Buffer.from(span.key), range_end: Buffer.from(span.end) }
    this.stream?.write({ create_request: { ...range, start_revision: from, watch_id: id } })
  }

  private forget(watch: Watch): void {
    if (!this.drop(watch)) return
    this.stream?.write({ cancel_request: { watch_id: watch.id } })
  }

  private drop(watch: Watch): boolean {
    if (this.byName.get(watch.name) === watch) this.byName.delete(watch.name)
    return this.byId.delete(watch.id)
  }
}

/** Nothing is opened any more by a client that is closed. */
function loseSoon(listener: Listener): () => void {
  let isWanted = true
  queueMicrotask(() => isWanted && listener('lost'))
  return () => {
    isWanted = false
  }
}

function tell(watch: Watch, notice: Notice): void {
  for (const listener of [...watch.listeners]) listener(notice)
}
