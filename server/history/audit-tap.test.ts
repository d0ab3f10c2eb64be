import { expect, it } from 'vitest'
import { auditContract } from './audit-contract.ts'
import { draft } from './audit-fixtures.ts'
import { tapAudit } from './audit-tap.ts'
import { FakeAudit } from './fake-audit.ts'
import { ManualClock } from './fixtures.ts'

auditContract('tapped audit log', () => {
  const clock = new ManualClock()
  return { audit: tapAudit(new FakeAudit(clock), () => {}), clock, stop: () => {} }
})

it('tells what was stored, and nothing that was not', () => {
  const heard: string[] = []
  const audit = new FakeAudit()
  const tapped = tapAudit(audit, ({ verb, number }) => heard.push(`${number} ${verb}`))
  tapped.add(draft())
  audit.refuse = 'the disk is full'
  expect(() => tapped.add(draft())).toThrow()
  expect(heard).toEqual(['1 handoff'])
})

it('a listener that throws stops nobody from acting', () => {
  const troubles: unknown[] = []
  const broken = () => {
    throw new Error('broken')
  }
  const tapped = tapAudit(new FakeAudit(), broken, (error) => troubles.push(error))
  expect(tapped.add(draft()).number).toBe(1)
  expect(troubles).toEqual([new Error('broken')])
})
