/** Entries as they are written: for tests. */
import type { AuditDraft } from './audit.ts'

export function draft(more: Partial<AuditDraft> = {}): AuditDraft {
  return {
    kind: 'intent',
    operation: 'op-00000001',
    verb: 'handoff',
    actor: { kind: 'person', name: 'Anna', personId: 'p1', address: '10.0.0.7' },
    subject: { cluster: 'eu', ref: 'q~L2pvYnMv', name: 'jobs' },
    reason: 'deploy of 4.2',
    asked: { method: 'ask', target: null },
    seen: { leader: 'worker-1', revision: '9007199254740993' },
    ...more,
  }
}

export function outcome(is: 'verified' | 'failed' | 'unknown', more: Partial<AuditDraft> = {}): AuditDraft {
  const words = is === 'verified' ? 'worker-2 leads.' : 'No answer.'
  return draft({ kind: 'outcome', seen: null, outcome: { is, words, revision: null }, durationMs: 412, ...more })
}

export function refusal(more: Partial<AuditDraft> = {}): AuditDraft {
  return draft({ kind: 'refusal', seen: {}, code: 'stale', words: 'What is shown is stale.', ...more })
}
