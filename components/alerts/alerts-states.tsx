'use client'
/** What stands where the alerts would be: waiting, no answer, not allowed; and what is wrong with their keeping. */
import { useEffect, useState } from 'react'
import { Panel } from '../failovers/panel.tsx'
import { RetryButtons } from '../ui/retry-buttons.tsx'

const DASHES = ['one', 'two', 'three']
const PATIENCE_MS = 5_000

/** The layout with dashes; it names what is waited for once that takes 5 s. */
export function WaitingAlerts() {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Panel title="Firing">
      <div role="status">
        <p className={isSlow ? 'pb-2 text-t2' : 'sr-only'}>Waiting for Tenure’s server to tell what fires.</p>
        {DASHES.map((each) => (
          <p aria-hidden="true" className="h-[72px] border-line border-t py-3 text-t3" key={each}>
            –
          </p>
        ))}
      </div>
    </Panel>
  )
}

interface TroubleProps {
  error: { message: string; data?: unknown }
  /** What was read before is still shown below. */
  isShowing: boolean
  onRetry: () => void
}

const codeOf = ({ data }: TroubleProps['error']) => (data as { code?: string } | null | undefined)?.code

export function AlertsTrouble({ error, isShowing, onRetry }: TroubleProps) {
  const isDenied = ['UNAUTHORIZED', 'FORBIDDEN'].includes(codeOf(error) ?? '')
  return (
    <div
      className="edge edge-warn relative mx-5 my-2 rounded-sm bg-tint-warn py-2.5 pr-3 pl-4 max-sm:mx-4"
      role="alert"
    >
      <p>
        <b className="text-warn">{isDenied ? 'You may not see alerts.' : 'Alerts cannot be read.'}</b>{' '}
        {isShowing && 'What is shown is as it was before.'}
      </p>
      <p className="bytes wrap-anywhere mt-1 text-t2">{error.message}</p>
      {!isDenied && <RetryButtons message={error.message} onRetry={onRetry} />}
    </div>
  )
}

/** Alerts are judged and told from memory while it lasts; after a restart they would be told again. */
export function NotSaved({ problem }: { problem: string }) {
  return (
    <div
      className="edge edge-crit relative mx-5 my-2 rounded-sm bg-tint-crit py-2.5 pr-3 pl-4 max-sm:mx-4"
      role="alert"
    >
      <p className="words wrap-anywhere">
        <b className="text-crit">The state of alerts is not being saved.</b> {problem}
      </p>
    </div>
  )
}
