import type { ElectionRef } from '../../lib/election/types.ts'

export function electionHref(cluster: string, ref: ElectionRef): string {
  return `/elections/${encodeURIComponent(cluster)}/${ref}`
}
