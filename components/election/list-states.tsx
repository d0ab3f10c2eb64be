'use client'
/** What stands where the rows would be: waiting, nothing there, nothing found. */
import { type ReactNode, useEffect, useState } from 'react'
import type { Cluster } from '../../lib/election/types.ts'
import { useConnection, usePastAt } from '../live/use-live.ts'
import { Button } from '../ui/button.tsx'

const PATIENCE_MS = 5_000

function useSlow(): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return slow
}

/** Names what is waited for once that has taken 5 s. */
export function Waiting() {
  const slow = useSlow()
  const connection = useConnection()
  const reason = connection.state === 'reconnecting' ? connection.reason : null
  return (
    <p className="px-5 py-4 text-t2" role="status">
      {slow &&
        (reason === null
          ? 'Waiting for the first snapshot from Tenure’s server.'
          : `Tenure’s server does not answer: ${reason}. Trying again.`)}
    </p>
  )
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-5 border-line2 border-t py-10 max-sm:mx-4">
      <h2 className="font-display font-semibold text-lg">{title}</h2>
      <div className="mt-1 max-w-[640px] text-t2">{children}</div>
    </div>
  )
}

/** Nothing there is only said of a cluster that answers. */
export function NoElections({ clusters, known }: { clusters: readonly Cluster[]; known: boolean }) {
  const prefixes = clusters.flatMap(({ name, watched }) =>
    watched.map(({ prefix }) => ({ id: `${name} ${prefix}`, name, prefix: prefix === '' ? '(all keys)' : prefix })),
  )
  const [first] = prefixes
  const isPast = usePastAt() !== null
  const where = prefixes.length === 1 && first ? first.prefix : 'the watched prefixes'
  return (
    <Notice
      title={known ? `No elections under ${where}` : isPast ? 'Nothing is kept of that time' : 'Nothing is known yet'}
    >
      <p>
        {isPast
          ? known
            ? 'None had a key then.'
            : 'Who led, and whether anybody did, is not on record.'
          : known
            ? 'An election appears here as soon as a candidate puts its key. To watch another prefix, add it to the configuration.'
            : 'Elections under these prefixes appear as soon as etcd answers.'}
      </p>
      <ul className="mt-3">
        {prefixes.map(({ id, name, prefix }) => (
          <li key={id}>
            {clusters.length > 1 && `${name}: `}
            <span className="bytes">{prefix}</span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

export function NothingFound({ what, onReset }: { what: string; onReset: () => void }) {
  return (
    <Notice title="No election matches">
      <p>{what}</p>
      <Button className="mt-4" onClick={onReset} size="sm">
        Show all
      </Button>
    </Notice>
  )
}
