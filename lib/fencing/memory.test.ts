import { describe, expect, it } from 'vitest'
import type { FenceOptions } from './fence.ts'
import { at, type ContractFence, describeFence } from './fence-contract-for-test.ts'
import { fenceOver, MemoryStore, memoryFence } from './memory.ts'

interface State {
  lines: string[]
}

describeFence('memory', () => {
  let nowMs = 1_000_000_000
  const store = new MemoryStore<State>({ lines: [] }, { nowMs: () => nowMs, monoMs: () => nowMs })
  const open = (options: FenceOptions = {}): ContractFence => {
    const fence = fenceOver(store, options)
    return {
      write: (guarded, work) =>
        fence.write(guarded, ({ db, runOnce }) => work({ append: (line) => void db.lines.push(line), runOnce })),
      highest: fence.highest,
      pruneRuns: fence.pruneRuns,
      get rejected() {
        return fence.rejected
      },
    }
  }
  return {
    fence: open(),
    another: open,
    lines: async () => fenceOver(store, {}).read().lines,
    age: async (byMs) => {
      nowMs += byMs
    },
    close: () => {},
  }
})

describe('memory', () => {
  it('a draft that is kept, or changed after the write, changes nothing', async () => {
    const fence = memoryFence<State>({ state: { lines: [] } })
    let kept: State | undefined
    await fence.write(at('0.1'), ({ db }) => {
      db.lines.push('a')
      kept = db
    })
    kept?.lines.push('stale')
    fence.read().lines.push('stale')
    expect(fence.read().lines).toEqual(['a'])
  })

  it('a write inside a write is refused instead of waiting for itself for ever', async () => {
    const fence = memoryFence()
    const nested = fence.write(at('0.1'), () => fence.write(at('0.1', 'payroll'), () => {}))
    await expect(nested).rejects.toThrow('A write inside a write')
    // What was begun in a write but happens after it is not inside.
    const { promise, resolve } = Promise.withResolvers<void>()
    let later: Promise<string> | undefined
    await fence.write(at('0.1'), () => {
      later = promise.then(() => fence.write(at('0.1'), () => 'fine'))
    })
    resolve()
    expect(await later).toBe('fine')
  })

  it('an asynchronous work keeps the next one waiting', async () => {
    const fence = memoryFence<State>({ state: { lines: [] } })
    const gate = Promise.withResolvers<void>()
    const older = fence.write(at('0.1'), async ({ db }) => {
      await gate.promise
      db.lines.push('older')
    })
    const newer = fence.write(at('0.2'), ({ db }) => void db.lines.push('newer'))
    gate.resolve()
    await Promise.all([older, newer])
    expect(fence.read().lines).toEqual(['older', 'newer'])
  })

  it('a run that is not awaited fails the write, and stays out of it', async () => {
    const fence = memoryFence<State>({ state: { lines: [] } })
    const gate = Promise.withResolvers<void>()
    const floating = fence.write(at('0.1'), ({ db, runOnce }) => {
      void runOnce('mon', async () => {
        await gate.promise
        db.lines.push('late')
      })
    })
    await expect(floating).rejects.toThrow('runOnce("mon") was not awaited')
    gate.resolve()
    await gate.promise
    expect(fence.read().lines).toEqual([])
    expect(await fence.highest('settlement')).toBe(null)
  })
})
