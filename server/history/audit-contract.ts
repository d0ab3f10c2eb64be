/** What every `Audit` does; run by the tests of each implementation. */
import { describe, expect, it } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import type { Audit, AuditQuery } from './audit.ts'
import { chainHash, NO_HASH } from './audit-chain.ts'
import { draft, outcome, refusal } from './audit-fixtures.ts'
import { type ManualClock, START_MS } from './fixtures.ts'
import { InvalidCursor } from './history.ts'

export interface AuditHarness {
  audit: Audit
  clock: ManualClock
  stop(): void
}

export function auditContract(name: string, open: () => AuditHarness): void {
  const withAudit = (test: (harness: AuditHarness) => void) => () => {
    const harness = open()
    try {
      test(harness)
    } finally {
      harness.stop()
    }
  }
  const found = (audit: Audit, query: Partial<AuditQuery>) =>
    audit.list({ limit: 100, ...query }).entries.map(({ number }) => number)

  describe(name, () => {
    it(
      'numbers, dates and chains entries, and gives them back as they were',
      withAudit(({ audit, clock }) => {
        const first = audit.add(draft())
        clock.ms += 1_500
        const second = audit.add(outcome('verified'))
        expect(first).toMatchObject({ ...draft(), number: 1, at: instant(START_MS) })
        expect(second).toMatchObject({ number: 2, at: instant(START_MS + 1_500) })
        const { hash, ...body } = first
        expect(hash).toBe(chainHash(NO_HASH, JSON.stringify(body)))
        const { hash: next, ...after } = second
        expect(next).toBe(chainHash(hash, JSON.stringify(after)))
        expect(audit.list({ limit: 10 }).entries).toEqual([second, first])
      }),
    )

    it(
      'finds an operation with its outcomes in order, and nothing by the empty id of strangers',
      withAudit(({ audit }) => {
        const intent = audit.add(draft())
        const unknown = audit.add(outcome('unknown'))
        audit.add(refusal({ operation: '' }))
        audit.add(draft({ operation: 'op-00000002' }))
        const verified = audit.add(outcome('verified'))
        expect(audit.operation('op-00000001')).toEqual({ intent, outcomes: [unknown, verified] })
        expect(audit.operation('op-00000003')).toBeNull()
        expect(audit.operation('')).toBeNull()
        expect(found(audit, { operation: '' })).toEqual([])
        expect(found(audit, { operation: 'op-00000001' })).toEqual([5, 2, 1])
      }),
    )

    it(
      'knows which intents have no final outcome, oldest first',
      withAudit(({ audit }) => {
        for (const operation of ['never-told', 'still-open', 'verified-1', 'failed-01']) audit.add(draft({ operation }))
        audit.add(outcome('unknown', { operation: 'still-open' }))
        audit.add(outcome('unknown', { operation: 'verified-1' }))
        audit.add(outcome('verified', { operation: 'verified-1' }))
        audit.add(outcome('failed', { operation: 'failed-01' }))
        expect(audit.unresolved().map(({ operation }) => operation)).toEqual(['never-told', 'still-open'])
      }),
    )

    it(
      'filters by each thing, and by several at once',
      withAudit(({ audit, clock }) => {
        audit.add(draft())
        clock.ms += 1_000
        audit.add(outcome('verified'))
        clock.ms += 1_000
        audit.add(refusal({ verb: 'engage', operation: '', subject: { cluster: 'us' } }))
        clock.ms += 1_000
        audit.add(draft({ kind: 'done', verb: 'signIn', operation: 'x1', subject: { cluster: null } }))
        expect(found(audit, { cluster: 'eu' })).toEqual([2, 1])
        expect(found(audit, { cluster: 'eu', ref: 'q~L2pvYnMv', verb: 'handoff' })).toEqual([2, 1])
        expect(found(audit, { ref: 'q~other' })).toEqual([])
        expect(found(audit, { verb: 'engage' })).toEqual([3])
        expect(found(audit, { kind: 'intent' })).toEqual([1])
        expect(found(audit, { result: 'verified' })).toEqual([2])
        expect(found(audit, { result: 'refused' })).toEqual([3])
        expect(found(audit, { result: 'done' })).toEqual([4])
        expect(found(audit, { withoutVerbs: ['signIn', 'engage'] })).toEqual([2, 1])
        expect(found(audit, { from: instant(START_MS + 1_000), to: instant(START_MS + 3_000) })).toEqual([3, 2])
        expect(found(audit, { from: instant(START_MS + 1_000), cluster: 'eu' })).toEqual([2])
        expect(found(audit, { from: instant(START_MS + 9_000) })).toEqual([])
      }),
    )

    it(
      'finds what is unknown still, not what was for a while',
      withAudit(({ audit }) => {
        audit.add(draft({ operation: 'one' }))
        audit.add(outcome('unknown', { operation: 'one' }))
        audit.add(draft({ operation: 'two' }))
        audit.add(outcome('unknown', { operation: 'two' }))
        audit.add(outcome('verified', { operation: 'one' }))
        expect(found(audit, { result: 'unknown' })).toEqual([4])
      }),
    )

    it(
      'searches whatever is shown, in any case, and takes nothing of it for syntax',
      withAudit(({ audit }) => {
        audit.add(draft({ reason: 'Größe "4.2" of {shown} OR NOT*' }))
        audit.add(outcome('verified', { operation: 'op-2' }))
        audit.add(refusal({ operation: '', actor: { kind: 'nobody', name: 'nobody', address: '192.0.2.9' } }))
        audit.add(
          draft({
            kind: 'done',
            verb: 'addPerson',
            operation: 'x',
            subject: { cluster: null, person: { id: 'i', name: 'Zoë' } },
          }),
        )
        expect(found(audit, { search: 'GRÖSSE' })).toEqual([])
        expect(found(audit, { search: 'GRÖßE "4' })).toEqual([1])
        expect(found(audit, { search: '{shown} or not*' })).toEqual([1])
        expect(found(audit, { search: 'worker-2' })).toEqual([2])
        expect(found(audit, { search: '9007199254740993' })).toEqual([4, 1])
        expect(found(audit, { search: 'is stale' })).toEqual([3])
        expect(found(audit, { search: 'zoë' })).toEqual([4])
        expect(found(audit, { search: '%%%' })).toEqual([])
        expect(found(audit, { search: '192.0.2' })).toEqual([3])
        expect(found(audit, { search: '192.0.2', searchAddresses: false })).toEqual([])
        expect(found(audit, { search: 'an' })).toEqual([])
      }),
    )

    it(
      'pages without leaving one out or telling one twice, while others are added',
      withAudit(({ audit }) => {
        for (let n = 1; n <= 23; n += 1) audit.add(draft({ operation: `op-${n}` }))
        const seen: number[] = []
        let cursor: string | undefined
        do {
          const page = audit.list({ limit: 5, ...(cursor ? { cursor } : {}), search: 'anna' })
          seen.push(...page.entries.map(({ number }) => number))
          cursor = page.nextCursor
          audit.add(draft({ operation: 'later' }))
        } while (cursor !== undefined)
        expect(seen).toEqual(Array.from({ length: 23 }, (_, n) => 23 - n))
        expect(() => audit.list({ limit: 5, cursor: 'x' })).toThrow(InvalidCursor)
      }),
    )

    it(
      'counts what was done and refused since a time',
      withAudit(({ audit, clock }) => {
        expect(audit.summary({ from: instant(START_MS) })).toEqual({ actions: 0, refused: 0, newest: null })
        audit.add(draft())
        clock.ms += 5_000
        audit.add(draft({ operation: 'b' }))
        audit.add(outcome('verified', { operation: 'b' }))
        audit.add(refusal())
        audit.add(draft({ kind: 'done', verb: 'signIn', operation: 'c' }))
        const from = instant(START_MS + 5_000)
        expect(audit.summary({ from })).toEqual({ actions: 2, refused: 1, newest: from })
        expect(audit.summary({ from, withoutVerbs: ['signIn'] })).toEqual({ actions: 1, refused: 1, newest: from })
      }),
    )
  })
}
