import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, deleteKey, type Etcd3, enterCandidate } from '../../e2e/harness/raw-etcd.ts'
import type { Change, Frame } from '../../lib/election/changes.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { refOf } from '../../lib/election/ids.ts'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import { eventually } from '../watch/watch-for-test.ts'
import * as contract from './contract-for-test.ts'
import { type Serving, type SseEvent, serve } from './serve-for-test.ts'

type LiveFrame = z.infer<typeof contract.liveFrame>

const JOB = refOf('queue', '/c/job/')

let etcd: EtcdCluster
let client: Etcd3
let api: Serving

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  await enterCandidate(client, { prefix: '/c/job', value: 'first', ttlSeconds: 120 })
  api = await serve({ endpoints: etcd.endpoints, watch: ['/c/'] })
})
afterAll(async () => {
  await api.stop()
  client.close()
  await etcd.stop()
})

interface Reader {
  events: SseEvent[]
  frames: LiveFrame[]
  /** The first frame, of those that came or will come, of which `is` holds. */
  until(is: (frame: LiveFrame) => boolean): Promise<LiveFrame>
  /** Goes away and answers the id of the last frame that it got. */
  leave(): Promise<string>
}

function read(options: { headers?: Record<string, string>; query?: string } = {}): Reader {
  const leaving = new AbortController()
  const events: SseEvent[] = []
  const frames: LiveFrame[] = []
  const done = (async () => {
    for await (const event of api.subscribe({ signal: leaving.signal, ...options })) {
      events.push(event)
      if (event.event === undefined) frames.push(contract.liveFrame.parse(event.data))
    }
  })()
  let failure: unknown
  done.catch((error: unknown) => {
    failure = error
  })
  return {
    events,
    frames,
    until: async (is) => {
      const found = await eventually(() => {
        if (failure) throw failure
        return frames.find(is)
      }, 5_000)
      if (found === null) throw new Error(`no such frame among ${JSON.stringify(frames).slice(0, 2_000)}`)
      return found
    },
    leave: async () => {
      leaving.abort()
      await done
      return String(frames.at(-1)?.id)
    },
  }
}

/** Revisions of the job's election that the frames brought. */
const revisions = (frames: readonly LiveFrame[]): string[] =>
  frames.flatMap((frame) =>
    frame.type !== 'change'
      ? []
      : frame.changes.flatMap((each) =>
          each.type === 'election' && each.ref === JOB && each.change.type === 'revision'
            ? [String(each.change.revision)]
            : [],
        ),
  )

const enter = async (value: string) => (await enterCandidate(client, { prefix: '/c/job', value })).revision
const brings = (revision: string) => (frame: LiveFrame) => revisions([frame]).includes(revision)

describe('live.events', () => {
  test('begins with a snapshot of everything, then sends changes and heartbeats, each under its own id', async () => {
    const reader = read()
    const first = await reader.until(() => true)
    expect(first).toMatchObject({ type: 'snapshot', reason: 'first', clusters: [{ info: { name: 'test' } }] })
    expect(first.type === 'snapshot' && first.clusters[0]?.elections.map(({ ref }) => ref)).toEqual([JOB])
    const revision = await enter('second')
    await reader.until(brings(revision))
    await reader.until(({ type }) => type === 'heartbeat')
    await reader.leave()
    const tracked = reader.events.filter(({ event }) => event === undefined)
    expect(tracked.map(({ id }) => id)).toEqual(reader.frames.map(({ id }) => id))
    const sequences = reader.frames.map(({ id }) => Number(id.split('-')[1]))
    expect(sequences).toEqual(sequences.map((_, at) => (sequences[0] ?? 0) + at))
    expect(new Set(reader.frames.map(({ id }) => id.split('-')[0])).size).toBe(1)
  })

  test('brings a change within a few hundred milliseconds', async () => {
    const reader = read()
    await reader.until(() => true)
    const revision = await enter('quick')
    const acknowledgedMs = performance.now()
    await reader.until(brings(revision))
    expect(performance.now() - acknowledgedMs).toBeLessThan(500)
    await reader.leave()
  })

  test.each([
    ['the header of an EventSource', (id: string) => ({ headers: { 'Last-Event-ID': id } })],
    ['the query', (id: string) => ({ query: `?lastEventId=${id}` })],
    ['the input', (id: string) => ({ query: `?input=${encodeURIComponent(JSON.stringify({ lastEventId: id }))}` })],
  ])('resumes by %s: what was missed comes once, and no snapshot', async (_, resume) => {
    const before = read()
    await before.until(({ type }) => type === 'snapshot')
    const seen = await enter('seen')
    await before.until(brings(seen))
    const lastId = await before.leave()
    const missed = [await enter('missed-1'), await enter('missed-2')]
    await eventually(() => api.runtime.watchers.get('test')?.elections.view.elections.get(JOB)?.revision === missed[1])
    const back = read(resume(lastId))
    const later = await enter('later')
    await back.until(brings(later))
    await back.leave()
    expect(back.frames.map(({ type }) => type)).not.toContain('snapshot')
    expect(revisions(before.frames)).toContain(seen)
    expect(revisions(back.frames)).toEqual([...missed, later])
    const next = Number(lastId.split('-')[1]) + 1
    expect(Number(back.frames[0]?.id.split('-')[1])).toBe(next)
  })

  test('answers an id of another boot with a snapshot that says so', async () => {
    const first = read()
    await first.until(() => true)
    const id = await first.leave()
    const [boot = '', sequence] = id.split('-')
    const other = `${boot.replace(/./, (c: string) => (c === '0' ? '1' : '0'))}-${sequence}`
    const reader = read({ headers: { 'Last-Event-ID': other } })
    expect(await reader.until(() => true)).toMatchObject({ type: 'snapshot', reason: 'unknown-id' })
    await reader.leave()
  })

  test('rebuilds, from a snapshot and what follows, exactly what the server holds', async () => {
    const reader = read()
    await reader.until(() => true)
    const a = await enterCandidate(client, { prefix: '/c/other', value: 'a' })
    const b = await enterCandidate(client, { prefix: '/c/other', value: 'b' })
    await deleteKey(client, a.key)
    const view = api.runtime.watchers.get('test')?.elections.view
    const other = refOf('queue', '/c/other/')
    await eventually(() => view?.elections.get(other)?.ended[0]?.endedBy?.cause === 'resigned or removed')
    expect(view?.elections.get(other)?.term?.token).toBe(b.revision)
    const beats = () => reader.frames.filter(({ type }) => type === 'heartbeat').length
    const soFar = beats()
    await eventually(() => beats() > soFar)
    const held = structuredClone(view?.elections.get(other))
    await reader.leave()
    const replica = replay(reader.frames)
    expect(withoutTtl(replica?.elections.get(other))).toEqual(withoutTtl(held))
  })

  test('forgets a viewer that has gone', async () => {
    expect(await eventually(() => api.runtime.hub.viewerCount === 0, 5_000)).toBe(true)
    const readers = [read(), read(), read()]
    for (const reader of readers) await reader.until(() => true)
    expect(api.runtime.hub.viewerCount).toBe(3)
    for (const reader of readers) await reader.leave()
    // At once, not with the next heartbeat.
    expect(await eventually(() => api.runtime.hub.viewerCount === 0, 600)).toBe(true)
  })
})

function replay(frames: readonly LiveFrame[]): ClusterView | undefined {
  let view: ClusterView | undefined
  for (const frame of frames as unknown as readonly Frame[]) {
    if (frame.type === 'snapshot') {
      const [cluster] = frame.clusters as [{ info: Cluster; elections: ElectionState[] }]
      view = new ClusterView(cluster.info, cluster.elections)
    } else if (frame.type === 'change') for (const change of frame.changes as Change[]) view?.apply(change)
  }
  return view
}

/** Look-ups go on while the test compares. */
function withoutTtl(state: ElectionState | undefined) {
  return state && { ...state, candidates: state.candidates.map(({ ttl: _, ...candidate }) => candidate) }
}
