/** What every guard must do, whatever it stands on. Each implementation runs it from its own test file. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareTokens, type FencingToken } from '../election/epoch.ts'
import { StaleTokenError } from './errors.ts'
import type { FenceOptions, Guarded, Rejection } from './fence.ts'
import { formatToken, parseToken } from './token.ts'

/** SQLite's work is synchronous, so steps are joined without making them promises. */
export function andThen<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}

export interface ContractTx {
  /** Adds a line to the protected resource. */
  append(line: string): void | Promise<void>
  runOnce<R>(key: string, work: () => R | Promise<R>): R | Promise<R>
}

export interface ContractFence {
  write<R>(guarded: Guarded, work: (tx: ContractTx) => R | Promise<R>): Promise<R>
  highest(resource: string): Promise<FencingToken | null>
  pruneRuns(older: { olderThanMs: number }): Promise<number>
  readonly rejected: number
}

export interface Subject {
  fence: ContractFence
  /** A guard over the same data; on a connection of its own where there are connections. */
  another(options?: FenceOptions): ContractFence
  /** The lines of the protected resource. */
  lines(): Promise<string[]>
  /** Makes every recorded run older. */
  age(byMs: number): Promise<void>
  close(): Promise<void> | void
}

export const at = (text: string, resource = 'settlement'): Guarded => ({ resource, token: parseToken(text) })

const HIGHEST = '9223372036854775807'

type Open = () => Promise<Subject> | Subject

export function describeFence(name: string, open: Open): void {
  let subject: Subject
  let fence: ContractFence
  beforeEach(async () => {
    subject = await open()
    fence = subject.fence
  })
  afterEach(() => subject.close())
  const write = (text: string, line = text, resource?: string) =>
    fence.write(at(text, resource), (tx) => tx.append(line))
  const highest = async (resource = 'settlement') => {
    const token = await fence.highest(resource)
    return token && formatToken(token)
  }

  describe(`${name}: tokens`, () => {
    it('accepts the first, the same and a higher one, and remembers the highest', async () => {
      expect(await highest()).toBe(null)
      for (const token of ['0.5', '0.5', '0.9', '1.2', '2.1']) await write(token)
      expect(await subject.lines()).toEqual(['0.5', '0.5', '0.9', '1.2', '2.1'])
      expect(await highest()).toBe('2.1')
      expect(fence.rejected).toBe(0)
    })

    it('refuses a lower revision, and a higher revision of an older epoch, without calling the work', async () => {
      await write('1.10')
      for (const stale of ['1.9', `0.${HIGHEST}`]) {
        const error: unknown = await write(stale).catch((thrown: unknown) => thrown)
        expect(error).toBeInstanceOf(StaleTokenError)
        expect(error).toMatchObject({
          code: 'stale-token',
          ...at(stale),
          accepted: at('1.10').token,
        })
        expect((error as Error).message).toContain(`${stale} for "settlement": it has accepted 1.10`)
      }
      expect(await subject.lines()).toEqual(['1.10'])
      expect(fence.rejected).toBe(2)
    })

    it('tells neighbours at the end of the 64-bit range apart', async () => {
      await write(`0.${HIGHEST}`)
      await expect(write('0.9223372036854775806')).rejects.toThrow(`accepted 0.${HIGHEST}`)
      await write(`9007199254740991.${HIGHEST}`)
      await expect(write(`9007199254740990.${HIGHEST}`)).rejects.toThrow(StaleTokenError)
      expect(await highest()).toBe(`9007199254740991.${HIGHEST}`)
    })

    it('keeps resources apart, also those that differ by case or by Unicode form', async () => {
      const names = ['settlement', 'Settlement', 'caf\u00e9', 'cafe\u0301']
      for (const [index, each] of names.entries()) await write(`0.${10 - index}`, 'x', each)
      for (const [index, each] of names.entries()) expect(await highest(each)).toBe(`0.${10 - index}`)
    })

    it('tells the hook of each refusal; a hook that throws does not hide it', async () => {
      await write('0.7')
      const told: Rejection[] = []
      const telling = subject.another({ onRejected: (rejection) => told.push(rejection) })
      await expect(telling.write(at('0.6'), () => {})).rejects.toThrow(StaleTokenError)
      expect(told).toEqual([{ ...at('0.6'), accepted: at('0.7').token }])
      const failing = subject.another({
        onRejected: () => {
          throw new Error('the report is full')
        },
      })
      const error: unknown = await failing.write(at('0.6'), () => {}).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(StaleTokenError)
      expect((error as Error).cause).toEqual(new Error('the report is full'))
      expect(failing.rejected).toBe(1)
    })
  })

  describe(`${name}: the transaction`, () => {
    it('gives the result of the work', async () => {
      expect(await fence.write(at('0.1'), () => 42)).toBe(42)
    })

    it('rolls back writes, runs and the advance of the token when the work fails, and passes its error on', async () => {
      await write('0.1')
      const broken = new Error('no connection to the bank')
      const attempt = fence.write(at('0.5'), (tx) =>
        andThen(
          tx.runOnce('day', () => tx.append('half')),
          () => {
            throw broken
          },
        ),
      )
      await expect(attempt).rejects.toBe(broken)
      expect(await subject.lines()).toEqual(['0.1'])
      expect(await highest()).toBe('0.1')
      await fence.write(at('0.1'), (tx) => tx.runOnce('day', () => tx.append('whole')))
      expect(await subject.lines()).toEqual(['0.1', 'whole'])
    })

    it.each([
      [{ resource: '', token: parseToken('0.1') }, 'The resource is empty'],
      [{ resource: 'job', token: { epoch: 0, revision: 12 } }, "The token's revision is 12 (number)"],
      [{ resource: 'job', token: { epoch: 0, revision: '-1' } }, 'The token\'s revision is "-1"'],
      [undefined, 'The resource is of type undefined'],
    ])('refuses bad input before it touches anything: %j', async (guarded, message) => {
      await expect(fence.write(guarded as unknown as Guarded, () => {})).rejects.toThrow(message)
      await expect(fence.highest('')).rejects.toThrow('The resource is empty')
    })

    it('forbids its use after it ended', async () => {
      let kept: ContractTx | undefined
      await fence.write(at('0.1'), (tx) => {
        kept = tx
      })
      await (async () => kept?.append('late'))().catch((error: Error) => expect(error.message).toContain('has ended'))
      await expect((async () => kept?.runOnce('late', () => {}))()).rejects.toThrow('This write has ended')
      expect(await subject.lines()).toEqual([])
    })
  })

  describe(`${name}: runOnce`, () => {
    const run = (key: string, result: unknown, resource?: string) =>
      fence.write(at('0.1', resource), (tx) => tx.runOnce(key, () => andThen(tx.append(key), () => result)))

    it('runs once and gives the recorded result afterwards, to any guard', async () => {
      expect(await run('mon', { settled: 41, ids: ['9007199254740993'] })).toEqual({
        settled: 41,
        ids: ['9007199254740993'],
      })
      expect(await run('mon', 'other')).toEqual({ settled: 41, ids: ['9007199254740993'] })
      const later = subject.another()
      expect(await later.write(at('0.2'), (tx) => tx.runOnce('mon', () => 'other'))).toMatchObject({ settled: 41 })
      expect(await subject.lines()).toEqual(['mon'])
    })

    it.each([undefined, null, false, 0, '', []])('records %j as a result like any other', async (result) => {
      expect(await run('mon', result)).toEqual(result)
      expect(await run('mon', 'other')).toEqual(result)
    })

    it('gives what JSON keeps of the result on the first call too', async () => {
      expect(await run('mon', { at: new Date(0), gone: undefined })).toEqual({ at: '1970-01-01T00:00:00.000Z' })
      await expect(run('tue', { cents: 1n })).rejects.toThrow('The result of run "tue" is not JSON')
      await expect(run('wed', () => {})).rejects.toThrow('The result of run "wed" is a function')
      expect(await subject.lines()).toEqual(['mon'])
    })

    it('scopes keys by resource, and refuses a stale caller its recorded result', async () => {
      await run('mon', 1)
      expect(await run('mon', 2, 'payroll')).toBe(2)
      await write('0.2')
      await expect(run('mon', 3)).rejects.toThrow(StaleTokenError)
    })

    it('runs one key once in one transaction, and refuses it inside itself', async () => {
      const twice = (tx: ContractTx) =>
        andThen(
          tx.runOnce('mon', () => 1),
          () => tx.runOnce('mon', () => 2),
        )
      expect(await fence.write(at('0.1'), twice)).toBe(1)
      const inside = fence.write(at('0.1'), (tx) => tx.runOnce('tue', () => tx.runOnce('tue', () => 2)))
      await expect(inside).rejects.toThrow('runOnce("tue") is already running in this transaction')
      await expect(run(' ', 1)).rejects.toThrow('The key begins or ends with a space')
    })

    it('a failed run that was swallowed cannot leave half of its writes behind', async () => {
      const fails = (tx: ContractTx) =>
        andThen(tx.append('half'), () => {
          throw new Error('the bank refused')
        })
      const swallowing = fence.write(at('0.1'), (tx) => {
        try {
          const running = tx.runOnce('mon', () => fails(tx))
          return running instanceof Promise ? running.catch(() => 'all is well') : running
        } catch {
          return 'all is well'
        }
      })
      await expect(swallowing).rejects.toThrow('the bank refused')
      expect(await subject.lines()).toEqual([])
    })

    it('concurrent calls with one key run once', async () => {
      const guards = Array.from({ length: 8 }, () => subject.another())
      const results = await Promise.all(
        guards.map((guard, index) =>
          guard.write(at('0.1'), (tx) => tx.runOnce('mon', () => andThen(tx.append(`run ${index}`), () => index))),
        ),
      )
      expect(new Set(results).size).toBe(1)
      expect(await subject.lines()).toEqual([`run ${results[0]}`])
    })

    it('prunes by age', async () => {
      await run('old', 1)
      await subject.age(3_600_000)
      await run('new', 1)
      expect(await fence.pruneRuns({ olderThanMs: 4_000_000 })).toBe(0)
      expect(await fence.pruneRuns({ olderThanMs: 3_000_000 })).toBe(1)
      await run('new', 2)
      await run('old', 2)
      expect(await subject.lines()).toEqual(['old', 'new', 'old'])
      await expect(fence.pruneRuns({ olderThanMs: -1 })).rejects.toThrow('olderThanMs is -1')
    })
  })

  describe(`${name}: properties`, () => {
    const token = fc.record({ epoch: fc.integer({ min: 0, max: 2 }), revision: fc.bigInt({ min: 1n, max: 6n }) })
    const attempt = fc.record({ token, fails: fc.boolean(), key: fc.constantFrom('a', 'b', undefined) })

    it('agrees with a model, attempt by attempt', async () => {
      let round = 0
      await fc.assert(
        fc.asyncProperty(fc.array(attempt, { maxLength: 12 }), async (attempts) => {
          round += 1
          const resource = `model ${round}`
          const model = { held: null as FencingToken | null, done: new Map<string, number>(), lines: [] as string[] }
          for (const [index, { token, fails, key }] of attempts.entries()) {
            const guarded = at(`${token.epoch}.${token.revision}`, resource)
            const line = `${round}/${index}`
            const isStale = model.held !== null && compareTokens(guarded.token, model.held) < 0
            const runs = key === undefined || !model.done.has(key)
            const once = (tx: ContractTx) =>
              key === undefined ? tx.append(line) : tx.runOnce(key, () => andThen(tx.append(line), () => index))
            const outcome: unknown = await fence
              .write(guarded, (tx) =>
                andThen(once(tx), (value) => {
                  if (fails) throw new Error('broken')
                  return value
                }),
              )
              .catch((error: Error) => error.name)
            if (isStale) expect(outcome).toBe('StaleTokenError')
            else if (fails) expect(outcome).toBe('Error')
            else {
              model.held = guarded.token
              if (runs) model.lines.push(line)
              if (key !== undefined && runs) model.done.set(key, index)
              expect(outcome).toBe(key === undefined ? undefined : model.done.get(key))
            }
            expect(await fence.highest(resource)).toEqual(model.held)
          }
          expect((await subject.lines()).filter((line) => line.startsWith(`${round}/`))).toEqual(model.lines)
        }),
        { numRuns: 40 },
      )
    })

    it('accepted tokens never go down, in whatever order writers race', async () => {
      const guards = Array.from({ length: 6 }, () => subject.another())
      let round = 0
      await fc.assert(
        fc.asyncProperty(fc.array(token, { minLength: 2, maxLength: 24 }), async (tokens) => {
          round += 1
          const before = guards.reduce((sum, guard) => sum + guard.rejected, 0)
          const outcomes = await Promise.allSettled(
            tokens.map(({ epoch, revision }, index) => {
              const text = `${epoch}.${revision}`
              return guards[index % guards.length]?.write(at(text, `race ${round}`), (tx) =>
                tx.append(`${round}/${text}`),
              )
            }),
          )
          const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
          for (const { reason } of refused) expect(reason).toBeInstanceOf(StaleTokenError)
          expect(guards.reduce((sum, guard) => sum + guard.rejected, 0) - before).toBe(refused.length)
          const own = (await subject.lines()).filter((line) => line.startsWith(`${round}/`))
          const accepted = own.map((line) => parseToken(line.slice(line.indexOf('/') + 1)))
          expect(accepted.length).toBe(tokens.length - refused.length)
          expect(accepted).toEqual(accepted.toSorted(compareTokens))
          expect(await fence.highest(`race ${round}`)).toEqual(accepted.at(-1))
        }),
        { numRuns: 15 },
      )
    })
  })
}
