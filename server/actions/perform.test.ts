import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EtcdError } from '../../lib/election/ports.ts'
import type { Revision } from '../../lib/election/types.ts'
import { systemClock } from '../../lib/shared/clock.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import type { Caller } from './caller.ts'
import { Operations } from './operations.ts'
import type { ActionParts } from './parts.ts'
import { perform, resume } from './perform.ts'
import { Recorder } from './recorder.ts'
import { ReleaseRequests } from './switches/release-requests.ts'
import type { Undertaking, Verdict } from './undertaking.ts'

const LIVE = {
  readOnly: 'no',
  freshness: 'live',
  rolledBack: false,
  confirmed: true,
  hasStandby: true,
  actionInFlight: false,
} as const
const ANN: Caller = { role: 'operator', actor: { kind: 'person', name: 'Ann', personId: 'p1', address: '10.0.0.1' } }
const BEN: Caller = { role: 'operator', actor: { kind: 'person', name: 'Ben', personId: 'p2', address: '10.0.0.2' } }
const VIEWER: Caller = { role: 'viewer', actor: { kind: 'person', name: 'Vi', personId: 'p3', address: '10.0.0.3' } }
const DONE = { is: 'verified', words: 'done', revision: '7' as Revision } as const
const log = { info: () => {}, warn: () => {}, error: () => {} }

let audit: FakeAudit
let parts: ActionParts
let stopping: AbortController
afterEach(() => stopping.abort())

beforeEach(() => {
  audit = new FakeAudit()
  stopping = new AbortController()
  const clock = systemClock
  const { signal } = stopping
  const recorder = new Recorder({ audit, clock, log, signal })
  const operations = new Operations()
  parts = {
    reaches: new Map(),
    audit,
    recorder,
    operations,
    clock,
    log,
    secondPerson: false,
    mayStill: () => true,
    releases: new ReleaseRequests(),
    keepers: new Map(),
    signal,
  }
})

type Handoff = Undertaking<{ token: string }>

/** A handoff whose writes are counted. */
function handoff(more: Partial<Handoff> = {}): Handoff & { writes: number } {
  const what = {
    verb: 'handoff' as const,
    operation: 'op-00000001',
    subject: { cluster: 'test', ref: 'q~abc' },
    reason: 'drain',
    asked: { method: 'ask' },
    situation: () => ({ ...LIVE, actionInFlight: parts.operations.isInFlight('test', 'q~abc') }),
    prepare: async () => ({ token: '5' }),
    verify: async (): Promise<Verdict> => null,
    ...more,
    writes: 0,
    act: async () => {
      what.writes += 1
      return more.act === undefined ? DONE : more.act({ token: '5' })
    },
  }
  return what
}

const told = () => audit.entries.map(({ kind, outcome, code }) => [kind, outcome?.is ?? code ?? ''].join(' ').trim())

describe('perform', () => {
  test('stores the intent with what was seen before it writes, and the outcome after', async () => {
    const what = handoff({
      act: async () => {
        expect(told()).toEqual(['intent'])
        return DONE
      },
    })
    const operation = await perform(parts, ANN, what)
    expect(operation.outcome).toEqual(DONE)
    expect(told()).toEqual(['intent', 'outcome verified'])
    expect(audit.entries[0]).toMatchObject({ reason: 'drain', seen: { token: '5' }, actor: { name: 'Ann' } })
  })

  test('refuses whom the policy refuses, stores the attempt and writes nothing', async () => {
    const what = handoff()
    await expect(perform(parts, VIEWER, what)).rejects.toMatchObject({ refusal: { code: 'role' } })
    expect(told()).toEqual(['refusal role'])
    expect(what.writes).toBe(0)
  })

  test('refuses an empty reason', async () => {
    await expect(perform(parts, ANN, handoff({ reason: ' \n' }))).rejects.toMatchObject({
      refusal: { code: 'reason-missing' },
    })
  })

  test('two clicks at once are one action with one outcome', async () => {
    const what = handoff()
    const [first, second] = await Promise.all([perform(parts, ANN, what), perform(parts, ANN, what)])
    expect(what.writes).toBe(1)
    expect(second.id).toBe(first.id)
    expect(told()).toEqual(['intent', 'outcome verified'])
  })

  test('a replay after a restart returns the first outcome', async () => {
    const what = handoff()
    await perform(parts, ANN, what)
    parts = { ...parts, operations: new Operations() }
    expect((await perform(parts, ANN, what)).outcome).toEqual(DONE)
    expect(what.writes).toBe(1)
  })

  test('an operation id of somebody else, or of another request, is refused', async () => {
    await perform(parts, ANN, handoff())
    const reused = { refusal: { code: 'operation-reused' } }
    await expect(perform(parts, BEN, handoff())).rejects.toMatchObject(reused)
    await expect(perform(parts, ANN, handoff({ asked: { method: 'remove-key' } }))).rejects.toMatchObject(reused)
  })

  test('of two people who act on one election at once, one is refused before anything is read for them', async () => {
    const one = handoff()
    const other = handoff({ operation: 'op-00000002' })
    const outcomes = await Promise.allSettled([perform(parts, ANN, one), perform(parts, BEN, other)])
    expect(outcomes[0].status).toBe('fulfilled')
    expect(outcomes[1]).toMatchObject({ reason: { refusal: { code: 'in-flight' } } })
    expect([one.writes, other.writes]).toEqual([1, 0])
  })

  test('does nothing when the intent cannot be stored', async () => {
    audit.refuse = 'disk full'
    const what = handoff()
    await expect(perform(parts, ANN, what)).rejects.toMatchObject({ refusal: { code: 'not-recorded' } })
    expect(what.writes).toBe(0)
    expect(parts.operations.isInFlight('test', 'q~abc')).toBe(false)
  })

  test('stops even unrecorded, says so, and completes the log in order later', async () => {
    audit.refuse = 'disk full'
    const operation = await perform(parts, ANN, handoff({ evenUnrecorded: true }))
    expect(operation.outcome).toEqual(DONE)
    expect(operation.warnings.join()).toContain('disk full')
    audit.refuse = null
    await expect.poll(told, { timeout: 5_000 }).toEqual(['intent', 'outcome verified'])
  })

  test('a log that cannot be read keeps nobody from stopping, and refuses everything else', async () => {
    audit.refuse = 'no database'
    audit.refuseReading = 'no database'
    const refused = { refusal: { code: 'not-recorded', why: expect.stringContaining('no database') } }
    const other = handoff()
    await expect(perform(parts, ANN, other)).rejects.toMatchObject(refused)
    expect(other.writes).toBe(0)
    const stop = handoff({ operation: 'op-00000002', evenUnrecorded: true })
    expect((await perform(parts, ANN, stop)).outcome).toEqual(DONE)
    expect(parts.recorder.behind).toBe(2)
  })

  test('an id whose intent still waits to be stored is used', async () => {
    audit.refuse = 'disk full'
    const stop = handoff({ evenUnrecorded: true })
    await perform(parts, ANN, stop)
    const reused = { refusal: { code: 'operation-reused' } }
    await expect(perform(parts, BEN, handoff({ evenUnrecorded: true }))).rejects.toMatchObject(reused)
    expect((await perform(parts, ANN, stop)).outcome).toEqual(DONE)
    expect(stop.writes).toBe(1)
    parts = { ...parts, operations: new Operations() }
    expect((await perform(parts, ANN, stop)).outcome).toEqual(DONE)
  })

  test('an id that is used for something else is refused, and that is stored', async () => {
    await perform(parts, ANN, handoff())
    await expect(perform(parts, BEN, handoff())).rejects.toThrow('used for something else')
    expect(told().at(-1)).toBe('refusal operation-reused')
  })

  test('what etcd refused as a whole has failed, in etcd’s words', async () => {
    const act = async () => {
      throw new EtcdError('denied', 'permission denied', 'http://e')
    }
    const { outcome } = await perform(parts, ANN, handoff({ act }))
    expect(outcome).toMatchObject({ is: 'failed', words: expect.stringContaining('permission denied') })
    expect(told()).toEqual(['intent', 'outcome failed'])
  })

  test('a missing answer is unknown until a read shows the effect, and never written again', async () => {
    let shown: Verdict = null
    const what = handoff({
      act: async () => {
        throw new EtcdError('deadline', 'no answer', 'http://e')
      },
      verify: async () => shown,
    })
    expect((await perform(parts, ANN, what)).outcome?.is).toBe('unknown')
    expect(parts.operations.isInFlight('test', 'q~abc')).toBe(true)
    shown = { is: 'unchanged', revision: '6' }
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(parts.operations.get(what.operation)?.outcome?.is).toBe('unknown')
    shown = DONE
    await expect.poll(told, { timeout: 10_000 }).toEqual(['intent', 'outcome unknown', 'outcome verified'])
    expect(what.writes).toBe(1)
  })

  test('a restart resolves an intent without an outcome by reading, and writes nothing', async () => {
    const what = handoff({ verify: async () => DONE })
    const { verb, operation, subject, reason, asked } = what
    const intent = audit.add({
      kind: 'intent',
      verb,
      operation,
      subject,
      reason,
      asked,
      actor: ANN.actor,
      seen: { token: '5' },
    })
    resume(parts, intent, what)
    await expect.poll(told).toEqual(['intent', 'outcome verified'])
    expect(what.writes).toBe(0)
  })
})
