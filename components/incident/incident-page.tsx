'use client'
import { useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { type AskedReport, useIncident } from '../live/incidents.ts'
import { useServerNow } from '../live/use-live.ts'
import { RetryButtons } from '../ui/retry-buttons.tsx'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import { IncidentFiles, IncidentRange } from './incident-bar.tsx'
import { readIncidentParams, refusalWords } from './incident-params.ts'
import { IncidentSheet } from './incident-sheet.tsx'

const HOUR_MS = 3_600_000

/** What the address asks for; the last hour of the chosen cluster where it does not say. null while that is not known. */
function useAsked(): AskedReport | null {
  const { cluster, from, to, refs } = readIncidentParams(useSearchParams())
  const { chosen } = useChosenCluster()
  const now = useServerNow(1)
  // Held still: the last hour must not be another one every second.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  useEffect(() => {
    if (now !== null) setOpenedAt((before) => before ?? now)
  }, [now])
  const about = cluster ?? chosen
  if (about === null) return null
  if (from !== undefined && to !== undefined) return { cluster: about, from, to, refs }
  if (openedAt === null) return null
  return { cluster: about, from: instant(msOf(openedAt) - HOUR_MS), to: openedAt, refs }
}

/** The report of an incident: to read, to print, to take away. */
export function IncidentPage() {
  const asked = useAsked()
  const { data, error, refetch } = useIncident(asked)
  return (
    <div className="mx-auto max-w-[1120px] px-5 pt-4 pb-10 max-sm:px-4 print:max-w-none print:p-0">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 print:hidden">
        {asked !== null && <IncidentRange asked={asked} key={`${asked.from} ${asked.to}`} />}
        {asked !== null && data !== undefined && <IncidentFiles asked={asked} report={data} />}
      </div>
      {error !== null && <Refused message={error.message} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Waiting />}
      {asked !== null && data !== undefined && <IncidentSheet asked={asked} report={data} />}
    </div>
  )
}

function Refused({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="border-line2 border-t py-8" role="alert">
      <h1 className="font-display text-2xl text-t2">
        <b className="text-t1">There is no report of this time.</b>
      </h1>
      <p className="words wrap-anywhere mt-2 text-warn">{refusalWords(message)}</p>
      <RetryButtons message={message} onRetry={onRetry} />
    </div>
  )
}

const PATIENCE_MS = 5_000

/** The layout with dashes; after five seconds it says what is waited for. */
function Waiting() {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="border-line2 border-t py-6">
      <h1 className="font-display text-2xl text-t2">–</h1>
      <p className="mt-2 min-h-5 text-t2" role="status">
        {isSlow && 'Waiting for the Tenure server to read its history.'}
      </p>
    </div>
  )
}
