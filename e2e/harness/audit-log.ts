/** Adds to the audit log of a server that runs, as it does itself: for entries that take no action to make. */
import { join } from 'node:path'
import { systemClock } from '../../lib/shared/clock.ts'
import type { Audit } from '../../server/history/audit.ts'
import { openSqliteAudit } from '../../server/history/sqlite-audit.ts'

export type { AuditDraft } from '../../server/history/audit.ts'
export type AuditLog = Pick<Audit, 'add' | 'close'>

export function openAuditLog(dataDir: string): AuditLog {
  return openSqliteAudit({ file: join(dataDir, 'audit.sqlite'), clock: systemClock })
}
