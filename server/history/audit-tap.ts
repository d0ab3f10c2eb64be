/** Lets others hear what goes into the audit log. */
import type { Audit, AuditEntry } from './audit.ts'

/** `onAdd` is called once the entry is stored. One that throws stops nobody from acting. */
export function tapAudit(
  audit: Audit,
  onAdd: (entry: AuditEntry) => void,
  onTrouble: (error: unknown) => void = (error) => console.error('a listener of the audit log failed', error),
): Audit {
  return {
    add(draft) {
      const entry = audit.add(draft)
      try {
        onAdd(entry)
      } catch (error) {
        onTrouble(error)
      }
      return entry
    },
    operation: (id) => audit.operation(id),
    unresolved: () => audit.unresolved(),
    list: (query) => audit.list(query),
    summary: (query) => audit.summary(query),
    close: () => audit.close(),
  }
}
