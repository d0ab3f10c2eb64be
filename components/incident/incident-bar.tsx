'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { incidentMarkdown } from '../../lib/election/incident-markdown.ts'
import type { IncidentReport } from '../../lib/election/incident-report.ts'
import type { AskedReport } from '../live/incidents.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { Field } from '../ui/field.tsx'
import { incidentFileHref, incidentHref } from './incident-params.ts'

const LINK = 'inline-flex h-9 items-center rounded-md border border-ctl px-3.5 font-semibold hover:bg-s3 max-sm:h-10'

/** The ways out: paper, files, the clipboard. */
export function IncidentFiles({ asked, report }: { asked: AskedReport; report: IncidentReport }) {
  const [copied, setCopied] = useState('')
  const copy = async () => {
    setCopied((await copyText(incidentMarkdown(report))) ? 'Copied.' : 'The browser refused to copy.')
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button className="max-sm:h-10" onClick={() => window.print()}>
        Print
      </Button>
      <a className={LINK} download href={incidentFileHref(asked, 'markdown')}>
        Markdown
      </a>
      <a className={LINK} download href={incidentFileHref(asked, 'json')}>
        JSON
      </a>
      <Button className="max-sm:h-10" onClick={() => void copy()}>
        Copy Markdown
      </Button>
      <span className="text-sm text-t2" role="status">
        {copied}
      </span>
    </div>
  )
}

/** The time that is told, as it stands in the address. */
export function IncidentRange({ asked }: { asked: AskedReport }) {
  const router = useRouter()
  const [from, setFrom] = useState(asked.from)
  const [to, setTo] = useState(asked.to)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    router.replace(incidentHref({ ...asked, from: from.trim(), to: to.trim() }))
  }
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={apply}>
      <Field
        className="w-[220px] max-sm:w-full"
        label="From, UTC"
        onChange={(event) => setFrom(event.target.value)}
        spellCheck={false}
        value={from}
      />
      <Field
        className="w-[220px] max-sm:w-full"
        label="To, UTC"
        onChange={(event) => setTo(event.target.value)}
        spellCheck={false}
        value={to}
      />
      <Button className="max-sm:h-10" type="submit">
        Show
      </Button>
    </form>
  )
}
