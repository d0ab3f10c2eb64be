/** A metrics page for tests of what reads it: of one member, which counts what it is told. */
import type { MetricsPort } from './lease-metrics.ts'

export class FakeMetrics implements MetricsPort {
  ended = 0
  expired = 0
  leads = true
  failing = false
  /** How often each page was read. */
  readonly reads: string[] = []

  async page(url: string): Promise<string> {
    this.reads.push(url)
    if (this.failing) throw new Error('connection refused')
    return [
      `etcd_debugging_lease_revoked_total ${this.ended}`,
      `etcd_debugging_server_lease_expired_total ${this.expired}`,
      `etcd_server_is_leader ${this.leads ? 1 : 0}`,
      'etcd_server_leader_changes_seen_total 1',
      'etcd_server_proposals_failed_total 0',
      'process_start_time_seconds 1.7e+09',
    ].join('\n')
  }
}
