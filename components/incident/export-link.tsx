import Link from 'next/link'
import { instant } from '../../lib/shared/clock.ts'
import { incidentHref } from './incident-params.ts'

interface ExportLinkProps {
  cluster: string
  span: { fromMs: number; toMs: number }
  /** The span follows the clock. */
  isLive: boolean
  /** None: every election that changed. */
  refs: readonly string[]
}

/** What has just happened belongs to it, too: the axis is a little behind. A report ends when it is made. */
const AHEAD_MS = 60_000

/** From what is shown to a document of it. */
export function ExportLink({ cluster, span, isLive, refs }: ExportLinkProps) {
  return (
    <Link
      className="inline-flex h-7 items-center rounded-md border border-ctl px-2.5 font-semibold text-sm text-t2 hover:text-t1 max-sm:h-10"
      href={incidentHref({
        cluster,
        from: instant(span.fromMs),
        to: instant(span.toMs + (isLive ? AHEAD_MS : 0)),
        refs,
      })}
      prefetch={false}
    >
      Export…
    </Link>
  )
}
