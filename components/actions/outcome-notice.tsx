import type { Operation } from '../../lib/election/actions.ts'
import { Notice } from '../ui/notice.tsx'

/** What came of it, never more than is known. */
export function OutcomeNotice({ operation }: { operation: Operation }) {
  const { outcome, warnings } = operation
  return (
    <div aria-live="polite" className="space-y-2">
      {outcome === null && <Notice tone="plain">Sent. Waiting for etcd…</Notice>}
      {outcome?.is === 'verified' && (
        <Notice tone="ok">
          <b>Verified in etcd.</b> {outcome.words}
        </Notice>
      )}
      {outcome?.is === 'failed' && (
        <Notice tone="crit">
          <b>Failed.</b> {outcome.words}
        </Notice>
      )}
      {outcome?.is === 'unknown' && (
        <Notice tone="warn">
          <b>Unknown.</b> {outcome.words}
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
    </div>
  )
}
