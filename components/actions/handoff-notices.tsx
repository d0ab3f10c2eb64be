'use client'
import { TriangleAlert } from 'lucide-react'
import { timeOfDay } from '../../lib/shared/format.ts'
import { useHandoffs } from '../live/actions.ts'
import { nameOf } from './handoff-words.ts'

interface NoticesProps {
  cluster: string
  reference: string
  /** The term that leads: its change asks anew. */
  version: string
}

/** Former leaders that may still act, and handoffs whose outcome nobody knows: for as long as it is so. */
export function HandoffNotices({ cluster, reference, version }: NoticesProps) {
  const { data } = useHandoffs({ cluster, ref: reference }, version)
  const operations = data?.operations ?? []
  const warned = operations.filter(({ warnings }) => warnings.length > 0)
  const unknown = operations.filter(({ outcome }) => outcome?.is === 'unknown')
  if (warned.length === 0 && unknown.length === 0) return null
  return (
    <section aria-label="Handoff warnings" className="border-line border-t">
      {unknown.map(({ id, handoff, at }) => (
        <Line key={id} tone="warn">
          <b className="text-warn">Handoff unknown.</b> Whether{' '}
          {handoff === undefined ? 'the leader' : nameOf(handoff.from)} was made to go at {timeOfDay(at)} UTC is not
          known yet. Tenure keeps asking, and sends nothing again.
        </Line>
      ))}
      {warned.map(({ id, warnings }) =>
        warnings.map((warning) => (
          <Line key={`${id} ${warning}`} tone="crit">
            {warning}
          </Line>
        )),
      )}
    </section>
  )
}

function Line({ tone, children }: { tone: 'crit' | 'warn'; children: React.ReactNode }) {
  const look = tone === 'crit' ? 'edge-crit bg-tint-crit' : 'edge-warn bg-tint-warn'
  return (
    <div className={`edge relative flex items-start gap-2.5 px-5 py-2 max-sm:px-4 ${look}`} role="status">
      <TriangleAlert
        aria-hidden="true"
        className={`mt-px shrink-0 ${tone === 'crit' ? 'text-crit' : 'text-warn'}`}
        size={16}
      />
      <p className="words min-w-0">{children}</p>
    </div>
  )
}
