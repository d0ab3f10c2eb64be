import { expect, it } from 'vitest'
import { AuditUnavailable } from './audit.ts'
import { auditContract } from './audit-contract.ts'
import { draft } from './audit-fixtures.ts'
import { FakeAudit } from './fake-audit.ts'
import { ManualClock } from './fixtures.ts'

auditContract('fake audit log', () => {
  const clock = new ManualClock()
  return { audit: new FakeAudit(clock), clock, stop: () => {} }
})

it('can be told to refuse as a full disk does', () => {
  const audit = new FakeAudit()
  audit.refuse = 'the disk is full'
  expect(() => audit.add(draft())).toThrow(AuditUnavailable)
  expect(audit.entries).toEqual([])
})
