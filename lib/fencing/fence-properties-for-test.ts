/** Whatever is tried, in whatever order: against a model, and in races. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareTokens, type FencingToken } from '../election/epoch.ts'
import { StaleTokenError } from './errors.ts'
import { andThen, at, type ContractTx, type Prepared } from './fence-subject-for-test.ts'
import { parseToken } from './token.ts'

export function itHoldsInAnyOrder(on: Prepared): void {
  const token = fc.record({ epoch: fc.integer({ min: 0, max: 2 }), revision: fc.bigInt({ min: 1n, max: 6n }) })
  const attempt = fc.record({ token, fails: fc.boolean(), key: fc.constantFrom('a', 'b', undefined) })

  it('agrees with a model, attempt by attempt', { timeout: 30_000 }, async () => {
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
          const outcome: unknown = await on.fence
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
          expect(await on.fence.highest(resource)).toEqual(model.held)
        }
        expect((await on.subject.lines()).filter((line) => line.startsWith(`${round}/`))).toEqual(model.lines)
      }),
      { numRuns: 40 },
    )
  })

  it('accepted tokens never go down, in whatever order writers race', { timeout: 30_000 }, async () => {
    const guards = Array.from({ length: 6 }, () => on.subject.another())
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
        const own = (await on.subject.lines()).filter((line) => line.startsWith(`${round}/`))
        const accepted = own.map((line) => parseToken(line.slice(line.indexOf('/') + 1)))
        expect(accepted.length).toBe(tokens.length - refused.length)
        expect(accepted).toEqual(accepted.toSorted(compareTokens))
        expect(await on.fence.highest(`race ${round}`)).toEqual(accepted.at(-1))
      }),
      { numRuns: 15 },
    )
  })
}
