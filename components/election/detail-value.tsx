'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Candidate } from '../../lib/election/types.ts'
import { byteSize } from '../../lib/shared/format.ts'
import { trpc } from '../live/trpc.ts'
import { usePastAt } from '../live/use-live.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

interface WholeValueProps {
  cluster: string
  reference: string
  candidate: Candidate
}

const SHOWN_CHARACTERS = 20_000

/** The value of a key as it is in etcd, read when asked for: it may be binary and as large as a megabyte. */
export function WholeValue({ cluster, reference, candidate }: WholeValueProps) {
  const [open, setOpen] = useState(false)
  const isPast = usePastAt() !== null
  const input = { cluster, ref: reference, keyBase64: candidate.keyBase64 }
  const { data, error } = useQuery({
    queryKey: ['value', input, candidate.modRevision],
    queryFn: ({ signal }) => trpc.elections.value.query(input, { signal }),
    enabled: open && !isPast,
    // An older value may be a megabyte, and nobody asks for it again.
    gcTime: 5_000,
  })
  return (
    <div className="mt-2 text-sm text-t2">
      <div className="flex items-center gap-2">
        <span>
          Value: <span className="text-t1">{byteSize(candidate.valueBytes)}</span>
        </span>
        {candidate.valueBytes > 0 && !isPast && (
          <Button aria-expanded={open} onClick={() => setOpen(!open)} size="sm" variant="quiet">
            {open ? 'Hide value' : 'Show whole value'}
          </Button>
        )}
        {open && data?.found && <CopyButton text={data.text} />}
      </div>
      {open && (
        <Value
          error={data?.found === false ? 'the key is gone' : error?.message}
          text={data?.found ? data.text : undefined}
        />
      )}
    </div>
  )
}

function Value({ text, error }: { text: string | undefined; error: string | undefined }) {
  if (error !== undefined) {
    return (
      <p className="mt-1 text-warn" role="alert">
        The value could not be read: <span className="bytes">{error}</span>
      </p>
    )
  }
  if (text === undefined) return <p className="mt-1">Reading it from etcd…</p>
  const cut = text.length > SHOWN_CHARACTERS
  return (
    <>
      <pre
        className="bytes mt-1 max-h-60 overflow-y-auto whitespace-pre-wrap break-all rounded-md border border-line2 bg-bg p-2 text-t1"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
        tabIndex={0}
      >
        {cut ? text.slice(0, SHOWN_CHARACTERS) : text}
      </pre>
      {cut && <p className="mt-1">First {SHOWN_CHARACTERS.toLocaleString('en-US')} characters; Copy takes all.</p>}
    </>
  )
}
