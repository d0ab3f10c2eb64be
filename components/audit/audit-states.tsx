'use client'
/** What stands where the rows would be: waiting, nothing there, nothing found, no answer. */
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { RetryButtons } from '../ui/retry-buttons.tsx'

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="border-line2 border-t py-10">
      <h2 className="font-display font-semibold text-lg">{title}</h2>
      <div className="mt-1 max-w-[640px] text-t2">{children}</div>
    </div>
  )
}

const DASHES = ['one', 'two', 'three', 'four', 'five', 'six']

const PATIENCE_MS = 5_000

/** The layout with dashes, so that nothing moves when rows come; it names what is waited for once that takes 5 s. */
export function WaitingRows() {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status">
      <p className={isSlow ? 'pb-2 text-t2' : 'sr-only'}>Waiting for Tenure’s server to read the audit log.</p>
      {DASHES.map((each) => (
        <p aria-hidden="true" className="border-line border-t py-2.5 text-t3" key={each}>
          –
        </p>
      ))}
    </div>
  )
}

export function NoEntries() {
  return (
    <Block title="Nothing here yet">
      <p>
        Whatever somebody does here is recorded before it is done: who, from where, what they saw, what they asked for,
        why, and what came of it. Refused attempts and sign-ins are, too. Entries are never changed and never deleted.
      </p>
    </Block>
  )
}

export function NothingFound({ onReset }: { onReset: () => void }) {
  return (
    <Block title="No entry matches">
      <p>Nothing in the log fits what is asked for above.</p>
      <Button className="mt-4 max-sm:h-11" onClick={onReset} size="sm">
        Show all
      </Button>
    </Block>
  )
}

interface TroubleProps {
  message: string
  /** Rows from before are still shown below. */
  isShowing: boolean
  onRetry: () => void
}

/** While the log cannot be written nothing can be done from here either: whoever reads this must know. */
export function Trouble({ message, isShowing, onRetry }: TroubleProps) {
  return (
    <div className="edge edge-crit relative my-2 rounded-sm bg-tint-crit py-2.5 pr-3 pl-4" role="alert">
      <p>
        <b className="text-crit">The audit log cannot be read.</b>{' '}
        {isShowing
          ? 'What is shown is as it was before.'
          : 'What cannot be recorded is not done from here, except a stop.'}
      </p>
      <p className="bytes wrap-anywhere mt-1 text-t2">{message}</p>
      <RetryButtons message={message} onRetry={onRetry} />
    </div>
  )
}
