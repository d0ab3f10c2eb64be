/**
 * Records every event of etcd, from all members at once and never through a proxy. It shares no code
 * with the product: a mistake of the watcher must not be made again by its judge.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '../../e2e/harness/raw-etcd.ts'
import type { RecordedEvent, RecordedRevision } from './model.ts'
import { holesIn, Keys } from './replay.ts'

const AGAIN_MS = 200
const EVERYTHING = Buffer.of(0)

type Client = ReturnType<typeof connect>
type Stream = Awaited<ReturnType<Client['watchClient']['watch']>>
type Response = Parameters<Parameters<Stream['on']>[1]>[0] & {
  canceled: boolean
  compact_revision: string
  events: { type: string; kv: KeyValue; prev_kv?: KeyValue }[]
}
interface KeyValue {
  key: Buffer
  value: Buffer
  lease: string
  create_revision: string
  mod_revision: string
}

export interface Observer {
  /** All keys as of the newest revision that came without a hole before it. */
  readonly keys: Keys
  readonly revision: number
  readonly events: number
  /** In order, up to and including `revision`. */
  recording(): RecordedRevision[]
  /** Waits until everything up to `revision` is recorded; false when it is not in time. */
  reached(revision: number, withinMs: number): Promise<boolean>
  stop(): Promise<void>
}

function eventOf({ type, kv, prev_kv }: Response['events'][number]): RecordedEvent {
  const isPut = type === 'Put'
  const about = isPut ? kv : prev_kv
  return {
    type: isPut ? 'put' : 'delete',
    key: kv.key.toString('latin1'),
    value: about?.value.toString('latin1') ?? '',
    lease: about?.lease ?? '0',
    created: Number(about?.create_revision ?? 0),
  }
}

/** `from` is a revision at which etcd held no key. */
export function observe(endpoints: readonly string[], from: number): Observer {
  const recorded = new Map<number, RecordedRevision>()
  const keys = new Keys()
  const stopping = new AbortController()
  let revision = from
  let events = 0

  const take = (all: Response['events']) => {
    const atMs = Date.now()
    const groups = new Map<number, RecordedEvent[]>()
    for (const event of all) {
      const at = Number(event.kv.mod_revision)
      groups.set(at, [...(groups.get(at) ?? []), eventOf(event)])
    }
    for (const [at, group] of groups) {
      if (recorded.has(at)) continue
      recorded.set(at, { revision: at, atMs, events: group })
      events += group.length
    }
    for (let next = recorded.get(revision + 1); next; next = recorded.get(revision + 1)) {
      for (const event of next.events) keys.apply(event)
      revision += 1
    }
    return Math.max(0, ...groups.keys())
  }

  /** One stream of one member, from the revision after the last one that it brought. */
  async function follow(endpoint: string): Promise<void> {
    let seen = from
    while (!stopping.signal.aborted) {
      const client = connect([endpoint])
      try {
        const stream = await client.watchClient.watch()
        await new Promise<void>((resolve) => {
          stopping.signal.addEventListener('abort', () => resolve(), { once: true })
          stream.on('error', () => resolve())
          stream.on('end', () => resolve())
          stream.on('data', (response) => {
            const { canceled, compact_revision, events: got } = response as unknown as Response
            // What is compacted, another member's stream has brought; holes are looked for at the end.
            if (canceled) seen = Math.max(seen, Number(compact_revision) - 1)
            else seen = Math.max(seen, take(got))
            if (canceled) resolve()
          })
          const start_revision = String(seen + 1)
          stream.write({ create_request: { key: EVERYTHING, range_end: EVERYTHING, start_revision, prev_kv: true } })
        })
        stream.cancel()
      } catch {
        // The member is away: again in a moment.
      }
      client.close()
      await pause(AGAIN_MS)
    }
  }

  const running = Promise.all(endpoints.map(follow))
  return {
    keys,
    get revision() {
      return revision
    },
    get events() {
      return events
    },
    recording: () =>
      [...recorded.values()].filter((each) => each.revision <= revision).sort((a, b) => a.revision - b.revision),
    reached: async (wanted, withinMs) => {
      const until = performance.now() + withinMs
      while (revision < wanted && performance.now() < until) await pause(50)
      return revision >= wanted && holesIn([...recorded.values()].sort((a, b) => a.revision - b.revision)).length === 0
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
