import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Revision } from '../election/types.ts'
import { NotLeadingError } from './errors.ts'
import { Term } from './term.ts'

let nowMs = 0
const clock = { nowMs: () => nowMs, monoMs: () => nowMs }
const token = { epoch: 1, revision: '7' as Revision }

function begin(changes: { onDeadline?: () => void; publish?: (value: string | Uint8Array) => Promise<void> } = {}) {
  const options = { onDeadline: () => {}, publish: async () => {}, ...changes }
  return new Term({ token, clock, deadlineMs: 1_000, provenMs: 0, ...options })
}

/** The timers run with the clock. */
async function pass(ms: number): Promise<void> {
  nowMs += ms
  await vi.advanceTimersByTimeAsync(ms)
}

beforeEach(() => {
  nowMs = 0
  vi.useFakeTimers()
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('the deadline', () => {
  it('aborts the signal by itself, and says so once', async () => {
    const onDeadline = vi.fn()
    const term = begin({ onDeadline })
    const heard = vi.fn()
    term.signal.addEventListener('abort', heard)
    await pass(999)
    expect([heard.mock.calls.length, term.leftMs, term.isOver]).toEqual([0, 1, false])
    term.proveStillLeading()
    await pass(1)
    expect([heard.mock.calls.length, term.leftMs, term.isOver, term.endedBy]).toEqual([1, 0, true, 'not renewed'])
    expect(() => term.proveStillLeading()).toThrow(NotLeadingError)
    expect(onDeadline).toHaveBeenCalledOnce()
  })

  it.each<[string, (term: Term) => unknown]>([
    ['signal.aborted', (term) => term.signal.aborted],
    ['signal.reason', (term) => term.signal.reason !== undefined],
    ['signal.throwIfAborted()', (term) => doesThrow(() => term.signal.throwIfAborted())],
    ['proveStillLeading()', (term) => doesThrow(() => term.proveStillLeading())],
  ])('is the first that %s can see after the process was frozen, before any timer', (_, look) => {
    const term = begin()
    nowMs = 999
    expect(look(term)).toBe(false)
    nowMs = 60_000
    expect(look(term)).toBe(true)
  })

  it('moves with each proof from when its renewal was sent, and never back', async () => {
    const term = begin()
    await pass(500)
    term.proven(400)
    term.proven(300)
    await pass(899)
    expect(term.isOver).toBe(false)
    await pass(1)
    expect(term.isOver).toBe(true)
  })

  it('does not move any more once it has passed', () => {
    const term = begin()
    nowMs = 1_000
    term.proven(999)
    expect(term.isOver).toBe(true)
  })
})

describe('draining', () => {
  it('tells the work to end while it is still proven', () => {
    const term = begin()
    term.drain('resigned', 'a test')
    expect([term.signal.aborted, term.isOver]).toEqual([true, false])
    expect((term.signal.reason as NotLeadingError).message).toBe('not leading with token 1.7: a test')
    expect(() => term.proveStillLeading()).not.toThrow()
    term.end('key gone', 'meanwhile')
    expect(() => term.proveStillLeading()).toThrow('meanwhile')
  })

  it('ends at the deadline like any other', async () => {
    const term = begin()
    term.drain('resigned', 'a test')
    await pass(1_000)
    expect(() => term.proveStillLeading()).toThrow('no renewal was proven in time')
  })
})

it('keeps the first reason for its end', () => {
  const term = begin()
  term.end('kill switch', 'first')
  term.end('key gone', 'second')
  expect(term.endedBy).toBe('kill switch')
  expect(() => term.proveStillLeading()).toThrow('first')
})

describe('proclaim', () => {
  it('is refused without a call when it does not lead', async () => {
    const publish = vi.fn()
    const term = begin({ publish })
    term.end('key gone', 'it is gone')
    await expect(term.proclaim('x')).rejects.toThrow('it is gone')
    expect(publish).not.toHaveBeenCalled()
  })

  it('rejects with what etcd says, and with the end of the term when that is what it says', async () => {
    const refused = begin({ publish: () => Promise.reject(new Error('no space')) })
    await expect(refused.proclaim('x')).rejects.toThrow('no space')
    expect(refused.isOver).toBe(false)
    refused.end('resigned', 'done')

    const gone: Term = begin({
      publish: async () => {
        gone.end('key gone', 'it is gone')
        throw new Error('no seat')
      },
    })
    await expect(gone.proclaim('x')).rejects.toThrow(NotLeadingError)
  })
})

it('remembers when the work last asked for a proof and got it', () => {
  const term = begin()
  expect(term.workedMs).toBeNull()
  nowMs = 400
  term.proveStillLeading()
  nowMs = 2_000
  expect(() => term.proveStillLeading()).toThrow()
  expect(term.workedMs).toBe(400)
})

function doesThrow(run: () => void): boolean {
  try {
    run()
    return false
  } catch {
    return true
  }
}
