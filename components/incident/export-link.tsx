import Link from 'next/link'
import { instant } from '../../lib/shared/clock.ts'
import { incidentHref } from './incident-params.ts'

interface ExportLinkProps {
  cluster: string
  span: { fromMs: number; toMs: number }
  /** None: every election that changed. */
  refs: readonly string[]
}

/** From what is shown to a document of it. */
export function ExportLink({ cluster, span, refs }: ExportLinkProps) {
  return (
    <Link
      className="inline-flex h-7 items-center rounded-md border border-ctl px-2.5 font-semibold text-sm text-t2 hover:text-t1 max-sm:h-10"
      href={incidentHref({ cluster, from: instant(span.fromMs), to: instant(span.toMs), refs })}
      prefetch={false}
    >
      Export…
    </Link>
  )
}
