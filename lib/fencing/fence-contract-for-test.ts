/** What every guard must do, whatever it stands on. Each implementation runs it from its own test file. */
import { describe, expect, it } from 'vitest'
import { StaleTokenError } from './errors.ts'
import type { Guarded, Rejection } from './fence.ts'
import { itHoldsInAnyOrder } from './fence-properties-for-test.ts'
import { andThen, at, type ContractTx, type Open, type Prepared, prepare } from './fence-subject-for-test.ts'
import { parseToken } from './token.ts'

const HIGHEST = '9223372036854775807'

export function describeFence(name: string, open: Open): void {
  describe(name, () => {
    const on = prepare(open)
    describe('tokens', () => itComparesTokens(on))
    describe('the transaction', () => itIsOneTransaction(on))
    describe('runOnce', () => itRunsOnce(on))
    describe('properties', () => itHoldsInAnyOrder(on))
  })
}

function itComparesTokens(on: Prepared): void {
  it('accepts the first, the same and a higher one, and remembers the highest', async () => {
    expect(await on.highest()).toBe(null)
    for (const token of ['0.5', '0.5', '0.9', '1.2', '2.1']) await on.write(token)
    expect(await on.subject.lines()).toEqual(['0.5', '0.5', '0.9', '1.2', '2.1'])
    expect(await on.highest()).toBe('2.1')
    expect(on.fence.rejected).toBe(0)
  })

  it('refuses a lower revision, and a higher revision of an older epoch, without calling the work', async () => {
    await on.write('1.10')
    for (const stale of ['1.9', `0.${HIGHEST}`]) {
      const error: unknown = await on.write(stale).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StaleTokenError)
      expect(error).toMatchObject({
        code: 'stale-token',
        ...at(stale),
        accepted: at('1.10').token,
      })
      expect((error as Error).message).toContain(`${stale} for "settlement": it has accepted 1.10`)
    }
    expect(await on.subject.lines()).toEqual(['1.10'])
    expect(on.fence.rejected).toBe(2)
  })

  it('tells neighbours at the end of the 64-bit range apart', async () => {
    await on.write(`0.${HIGHEST}`)
    await expect(on.write('0.9223372036854775806')).rejects.toThrow(`accepted 0.${HIGHEST}`)
    await on.write(`9007199254740991.${HIGHEST}`)
    await expect(on.write(`9007199254740990.${HIGHEST}`)).rejects.toThrow(StaleTokenError)
    expect(await on.highest()).toBe(`9007199254740991.${HIGHEST}`)
  })

  it('keeps resources apart, also those that differ by case or by Unicode form', async () => {
    const names = ['settlement', 'Settlement', 'caf\u00e9', 'cafe\u0301']
    for (const [index, each] of names.entries()) await on.write(`0.${10 - index}`, 'x', each)
    for (const [index, each] of names.entries()) expect(await on.highest(each)).toBe(`0.${10 - index}`)
  })

  it('tells the hook of each refusal; a hook that throws does not hide it', async () => {
    await on.write('0.7')
    const told: Rejection[] = []
    const telling = on.subject.another({ onRejected: (rejection) => told.push(rejection) })
    await expect(telling.write(at('0.6'), () => {})).rejects.toThrow(StaleTokenError)
    expect(told).toEqual([{ ...at('0.6'), accepted: at('0.7').token }])
    const failing = on.subject.another({
      onRejected: () => {
        throw new Error('the report is full')
      },
    })
    const error: unknown = await failing.write(at('0.6'), () => {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StaleTokenError)
    expect((error as Error).cause).toEqual(new Error('the report is full'))
    expect(failing.rejected).toBe(1)
  })
}

function itIsOneTransaction(on: Prepared): void {
  it('gives the result of the work', async () => {
    expect(await on.fence.write(at('0.1'), () => 42)).toBe(42)
  })

  it('rolls back writes, runs and the advance of the token when the work fails, and passes its error on', async () => {
    await on.write('0.1')
    const broken = new Error('no connection to the bank')
    const attempt = on.fence.write(at('0.5'), (tx) =>
      andThen(
        tx.runOnce('day', () => tx.append('half')),
        () => {
          throw broken
        },
      ),
    )
    await expect(attempt).rejects.toBe(broken)
    expect(await on.subject.lines()).toEqual(['0.1'])
    expect(await on.highest()).toBe('0.1')
    await on.fence.write(at('0.1'), (tx) => tx.runOnce('day', () => tx.append('whole')))
    expect(await on.subject.lines()).toEqual(['0.1', 'whole'])
  })

  it.each([
    [{ resource: '', token: parseToken('0.1') }, 'The resource is empty'],
    [{ resource: 'job', token: { epoch: 0, revision: 12 } }, "The token's revision is 12 (number)"],
    [{ resource: 'job', token: { epoch: 0, revision: '-1' } }, 'The token\'s revision is "-1"'],
    [undefined, 'The resource is of type undefined'],
  ])('refuses bad input before it touches anything: %j', async (guarded, message) => {
    await expect(on.fence.write(guarded as unknown as Guarded, () => {})).rejects.toThrow(message)
    await expect(on.fence.highest('')).rejects.toThrow('The resource is empty')
  })

  it('forbids its use after it ended', async () => {
    let kept: ContractTx | undefined
    await on.fence.write(at('0.1'), (tx) => {
      kept = tx
    })
    await (async () => kept?.append('late'))().catch((error: Error) => expect(error.message).toContain('has ended'))
    await expect((async () => kept?.runOnce('late', () => {}))()).rejects.toThrow('This write has ended')
    expect(await on.subject.lines()).toEqual([])
  })
}

function itRunsOnce(on: Prepared): void {
  const run = (key: string, result: unknown, resource?: string) =>
    on.fence.write(at('0.1', resource), (tx) => tx.runOnce(key, () => andThen(tx.append(key), () => result)))

  it('runs once and gives the recorded result afterwards, to any guard', async () => {
    expect(await run('mon', { settled: 41, ids: ['9007199254740993'] })).toEqual({
      settled: 41,
      ids: ['9007199254740993'],
    })
    expect(await run('mon', 'other')).toEqual({ settled: 41, ids: ['9007199254740993'] })
    const later = on.subject.another()
    expect(await later.write(at('0.2'), (tx) => tx.runOnce('mon', () => 'other'))).toMatchObject({ settled: 41 })
    expect(await on.subject.lines()).toEqual(['mon'])
  })

  it.each([undefined, null, false, 0, '', []])('records %j as a result like any other', async (result) => {
    expect(await run('mon', result)).toEqual(result)
    expect(await run('mon', 'other')).toEqual(result)
  })

  it('gives what JSON keeps of the result on the first call too', async () => {
    expect(await run('mon', { at: new Date(0), gone: undefined })).toEqual({ at: '1970-01-01T00:00:00.000Z' })
    await expect(run('tue', { cents: 1n })).rejects.toThrow('The result of run "tue" is not JSON')
    await expect(run('wed', () => {})).rejects.toThrow('The result of run "wed" is a function')
    expect(await on.subject.lines()).toEqual(['mon'])
  })

  it('scopes keys by resource, and refuses a stale caller its recorded result', async () => {
    await run('mon', 1)
    expect(await run('mon', 2, 'payroll')).toBe(2)
    await on.write('0.2')
    await expect(run('mon', 3)).rejects.toThrow(StaleTokenError)
  })

  it('runs one key once in one transaction, and refuses it inside itself', async () => {
    const twice = (tx: ContractTx) =>
      andThen(
        tx.runOnce('mon', () => 1),
        () => tx.runOnce('mon', () => 2),
      )
    expect(await on.fence.write(at('0.1'), twice)).toBe(1)
    const inside = on.fence.write(at('0.1'), (tx) => tx.runOnce('tue', () => tx.runOnce('tue', () => 2)))
    await expect(inside).rejects.toThrow('runOnce("tue") is already running in this transaction')
    await expect(run(' ', 1)).rejects.toThrow('The key begins or ends with a space')
  })

  it('a failed run that was swallowed cannot leave half of its writes behind', async () => {
    const fails = (tx: ContractTx) =>
      andThen(tx.append('half'), () => {
        throw new Error('the bank refused')
      })
    const swallowing = on.fence.write(at('0.1'), (tx) => {
      try {
        const running = tx.runOnce('mon', () => fails(tx))
        return running instanceof Promise ? running.catch(() => 'all is well') : running
      } catch {
        return 'all is well'
      }
    })
    await expect(swallowing).rejects.toThrow('the bank refused')
    expect(await on.subject.lines()).toEqual([])
  })

  it('concurrent calls with one key run once', async () => {
    const guards = Array.from({ length: 8 }, () => on.subject.another())
    const results = await Promise.all(
      guards.map((guard, index) =>
        guard.write(at('0.1'), (tx) => tx.runOnce('mon', () => andThen(tx.append(`run ${index}`), () => index))),
      ),
    )
    expect(new Set(results).size).toBe(1)
    expect(await on.subject.lines()).toEqual([`run ${results[0]}`])
  })

  it('prunes by age', async () => {
    await run('old', 1)
    await on.subject.age(3_600_000)
    await run('new', 1)
    expect(await on.fence.pruneRuns({ olderThanMs: 4_000_000 })).toBe(0)
    expect(await on.fence.pruneRuns({ olderThanMs: 3_000_000 })).toBe(1)
    await run('new', 2)
    await run('old', 2)
    expect(await on.subject.lines()).toEqual(['old', 'new', 'old'])
    await expect(on.fence.pruneRuns({ olderThanMs: -1 })).rejects.toThrow('olderThanMs is -1')
  })
}
