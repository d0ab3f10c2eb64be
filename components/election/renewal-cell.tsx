import { milliseconds } from '../../lib/shared/format.ts'
import { SourceTag } from './source-tag.tsx'

/** How long renewals take. Until holders report, it is what Tenure's own lease sees of the cluster. */
export function RenewalCell({ probeP95Ms }: { probeP95Ms: number | null }) {
  if (probeP95Ms === null) return <span className="text-t3">–</span>
  return (
    <span className="inline-flex items-center gap-[5px] whitespace-nowrap">
      {milliseconds(probeP95Ms)}
      <SourceTag source="probe" />
    </span>
  )
}
