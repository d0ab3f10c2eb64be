import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Change, ElectionChange, Frame } from '../../lib/election/changes.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { refOf, revision } from '../../lib/election/ids.ts'
import type { Cluster, LeaseId } from '../../lib/election/types.ts'
import { instant, systemClock } from '../../lib/shared/clock.ts'
import { Hub } from './hub.ts'

const PREFIX = '/e/job/'
const REF = refOf('queue', PREFIX)
const INFO: Cluster = {
  name: 'eu',
  clusterId: '1',
  revision: revision('1'),
  epoch: 0,
  freshness: 'live',
  asOf: null,
  quorum: true,
  watched: [{ prefix: '/e/', prefixBase64: btoa('/e/') }],
  readOnly: false,
  members: [],
  probeP95Ms: null,
  raftTerm: '1',
  raftLeaderChanges: [],
  gaps: [],
  sampling: { leaders: 0, sampled: 0 },
}

let hub: Hub
let view: ClusterView
let created = 1
let leaving: AbortController[] = []

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-12T03:00:00Z') })
  created = 1
  leaving = []
  hub = new Hub({ clock: systemClock, bootId: 'boot', build: 'build-1' })
  view = new ClusterView(INFO)
  hub.add(view)
  publish({ ...moment(), type: 'opened', live: false, layout: 'queue', ...named(), epoch: 0, keys: [] })
})
afterEach(async () => {
  for (const each of leaving) each.abort()
  hub.stop()
  await vi.advanceTimersByTimeAsync(100)
  vi.useRealTimers()
})

const named = () => ({ prefix: PREFIX, prefixBase64: btoa(PREFIX), confirmed: true, foundBy: 'test' })
const moment = () => ({ at: instant(Date.now()), revision: revision(String(created)) })

/** As the watcher does it: into the view first, then to the viewers. */
function publish(change: ElectionChange): void {
  const whole: Change = { type: 'election', cluster: 'eu', ref: REF, change }
  view.apply(whole)
  hub.push([whole])
}

/** A candidate more; answers its create revision. */
function enter(): string {
  created += 1
  const key = `${PREFIX}${created.toString(16)}`
  const own = { createRevision: revision(String(created)), modRevision: revision(String(created)), nested: false }
  const candidate = { key, keyBase64: btoa(key), identity: `w${created}`, valueBytes: 2, ...own }
  publish({ ...moment(), type: 'revision', puts: [{ ...candidate, lease: '7' as LeaseId }], deletes: [] })
  return String(created)
}

function open(lastId?: string) {
  const leave = new AbortController()
  leaving.push(leave)
  return { frames: hub.frames(lastId, leave.signal), leave: () => leave.abort() }
}

/** A viewer that takes every frame as it comes. */
function follow(lastId?: string) {
  const { frames, leave } = open(lastId)
  const seen: Frame[] = []
  const done = (async () => {
    for await (const frame of frames) seen.push(frame)
  })()
  return { seen, leave, done }
}

const entered = (frames: readonly Frame[]): string[] =>
  frames.flatMap((frame) => (frame.type === 'change' ? frame.changes : [])).flatMap(revisionsOf)

const revisionsOf = (change: Change): string[] =>
  change.type === 'election' && change.change.type === 'revision' ? [change.change.revision] : []

const inSnapshot = (frame: Frame | undefined): string[] =>
  frame?.type === 'snapshot'
    ? frame.clusters.flatMap(({ elections }) =>
        elections.flatMap(({ candidates }) => candidates.map(({ createRevision }) => createRevision as string)),
      )
    : []

const changesOf = (frames: readonly Frame[]) => frames.filter(({ type }) => type === 'change')
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('pace', () => {
  test('the first change after quiet goes out at once', async () => {
    const viewer = follow()
    await pass(500)
    const revision = enter()
    await pass(1)
    expect(entered(viewer.seen)).toEqual([revision])
  })

  test('changes that follow closely share a frame, in order and without loss', async () => {
    const viewer = follow()
    await pass(500)
    const revisions = [enter()]
    await pass(1)
    for (let n = 0; n < 10; n += 1) revisions.push(enter())
    await pass(5)
    expect(entered(viewer.seen)).toEqual(revisions.slice(0, 1))
    await pass(15)
    expect(changesOf(viewer.seen)).toHaveLength(2)
    expect(entered(viewer.seen)).toEqual(revisions)
  })

  test('a constant stream of changes makes no more than about 60 frames a second', async () => {
    const viewer = follow()
    await pass(500)
    const revisions: string[] = []
    for (let ms = 0; ms < 900; ms += 1) {
      revisions.push(enter())
      await pass(1)
    }
    await pass(50)
    expect(entered(viewer.seen)).toEqual(revisions)
    expect(changesOf(viewer.seen).length).toBeGreaterThan(40)
    // Timers count whole milliseconds, so that a frame may come after 16; the heartbeat flushes once.
    expect(changesOf(viewer.seen).length).toBeLessThanOrEqual(900 / 16 + 2)
  })

  test('many viewers get fewer frames each, so that all together stay near 3,000 a second', async () => {
    const viewers = Array.from({ length: 300 }, () => follow())
    await pass(500)
    for (let ms = 0; ms < 400; ms += 5) {
      enter()
      await pass(5)
    }
    const frames = viewers.reduce((sum, { seen }) => sum + changesOf(seen).length, 0)
    expect(frames).toBeGreaterThan(300)
    expect(frames).toBeLessThanOrEqual(1_500)
  })

  test('a heartbeat comes every second, whatever happens', async () => {
    const viewer = follow()
    await pass(3_010)
    expect(viewer.seen.map(({ type }) => type)).toEqual(['snapshot', 'heartbeat', 'heartbeat', 'heartbeat'])
  })
})

describe('a viewer', () => {
  test('begins with a snapshot that says it is the first, and names the build', async () => {
    const revision = enter()
    const viewer = follow()
    await pass(1)
    expect(viewer.seen[0]).toMatchObject({ type: 'snapshot', reason: 'first', build: 'build-1' })
    expect(inSnapshot(viewer.seen[0])).toEqual([revision])
  })

  test('is registered before its snapshot is taken: a change right after it is not lost', async () => {
    const { frames } = open()
    const snapshot = (await frames.next()).value
    // The snapshot is on its way and nobody has asked for the next frame yet.
    const revision = enter()
    await pass(50)
    const next = (await frames.next()).value
    expect(inSnapshot(snapshot)).not.toContain(revision)
    expect(entered([next])).toEqual([revision])
  })

  test('that comes while changes wait for their frame gets them once: in the snapshot', async () => {
    const early = follow()
    await pass(500)
    enter()
    await pass(1)
    const waiting = enter()
    const viewer = follow()
    await pass(100)
    expect(inSnapshot(viewer.seen[0])).toContain(waiting)
    expect(entered(viewer.seen)).toEqual([])
    expect(entered(early.seen)).toContain(waiting)
  })

  test('that leaves is forgotten, also while it waits', async () => {
    const viewer = follow()
    const gone = open()
    await gone.frames.next()
    expect(hub.viewerCount).toBe(2)
    viewer.leave()
    await viewer.done
    await gone.frames.return(undefined)
    expect(hub.viewerCount).toBe(0)
  })
})

describe('a slow viewer', () => {
  /** Each change gets a frame of its own. */
  async function frames(count: number): Promise<string[]> {
    const revisions: string[] = []
    for (let n = 0; n < count; n += 1) {
      revisions.push(enter())
      await pass(17)
    }
    return revisions
  }

  test('still gets every frame while it is not far behind', async () => {
    const slow = open()
    await slow.frames.next()
    const revisions = await frames(200)
    const seen: string[] = []
    while (seen.length < revisions.length) seen.push(...entered([(await slow.frames.next()).value]))
    expect(seen).toEqual(revisions)
  })

  test('that is too far behind gets one snapshot marked as such, and then what comes after it', async () => {
    const slow = open()
    await slow.frames.next()
    const revisions = await frames(1_000)
    const waiting = enter()
    const snapshot = (await slow.frames.next()).value
    expect(snapshot).toMatchObject({ type: 'snapshot', reason: 'behind' })
    expect(inSnapshot(snapshot)).toEqual([...revisions, waiting])
    const after = enter()
    await pass(17)
    expect(entered([(await slow.frames.next()).value])).toEqual([after])
  })

  test('does not hold up another one', async () => {
    const slow = open()
    await slow.frames.next()
    const quick = follow()
    const revisions = await frames(300)
    expect(entered(quick.seen)).toEqual(revisions)
    expect(quick.seen.filter(({ type }) => type === 'snapshot')).toHaveLength(1)
  })
})

describe('a viewer that comes back', () => {
  test('gets exactly what it missed, and no snapshot', async () => {
    const first = follow()
    await pass(500)
    const seenBefore = enter()
    await pass(50)
    first.leave()
    await first.done
    const missed = [enter()]
    await pass(1_050)
    missed.push(enter())
    const back = follow(first.seen.at(-1)?.id)
    await pass(50)
    const later = enter()
    await pass(50)
    expect(back.seen.map(({ type }) => type)).not.toContain('snapshot')
    expect(entered(first.seen)).toEqual([seenBefore])
    expect(entered(back.seen)).toEqual([...missed, later])
    const sequences = [...first.seen.slice(1), ...back.seen].map(({ id }) => Number(id.split('-')[1]))
    expect(sequences).toEqual(sequences.map((_, at) => (sequences[0] ?? 0) + at))
  })

  test('having missed nothing gets nothing but what comes', async () => {
    const first = follow()
    await pass(10)
    first.leave()
    const back = follow(first.seen.at(-1)?.id)
    await pass(100)
    expect(back.seen).toEqual([])
    const revision = enter()
    await pass(17)
    expect(entered(back.seen)).toEqual([revision])
  })

  test('before anything ever happened gets nothing either', async () => {
    const fresh = new Hub({ clock: systemClock, bootId: 'fresh', build: 'build-1' })
    const leave = new AbortController()
    const { value } = await fresh.frames(undefined, leave.signal).next()
    const back = fresh.frames(value?.id, leave.signal).next()
    await pass(1_000)
    expect((await back).value).toMatchObject({ type: 'heartbeat' })
    leave.abort()
    fresh.stop()
  })

  test('with an id of another boot, of the future, or of no form gets a snapshot that says so', async () => {
    for (const id of ['other-1', 'boot-999', 'nonsense']) {
      const back = follow(id)
      await pass(10)
      expect(back.seen[0]).toMatchObject({ type: 'snapshot', reason: 'unknown-id' })
    }
  })

  test('after longer than frames are kept gets a snapshot, not half a story', async () => {
    const first = follow()
    await pass(10)
    first.leave()
    for (let n = 0; n < 600; n += 1) {
      enter()
      await pass(17)
    }
    const back = follow(first.seen.at(-1)?.id)
    await pass(10)
    expect(back.seen[0]).toMatchObject({ type: 'snapshot', reason: 'unknown-id' })
    expect(inSnapshot(back.seen[0])).toHaveLength(600)
  })

  test('after a flood of changes in few frames gets a snapshot: what is kept is bounded by changes too', async () => {
    const first = follow()
    await pass(10)
    first.leave()
    hub.push(Array.from({ length: 5_000 }, () => ({ type: 'cluster', cluster: 'eu', info: INFO })))
    await pass(50)
    const back = follow(first.seen.at(-1)?.id)
    await pass(10)
    expect(back.seen[0]).toMatchObject({ type: 'snapshot', reason: 'unknown-id' })
  })
})

test('stop leaves no timer behind', () => {
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  enter()
  hub.stop()
  expect(vi.getTimerCount()).toBe(0)
})
