import type { LeaseId } from '../election/types.ts'
import type { Settings } from './options.ts'

/** Leases of sessions that have ended. One that cannot be revoked now is tried again before the next is asked for. */
export class LeftLeases {
  private readonly settings: Settings
  private readonly leases = new Set<LeaseId>()

  constructor(settings: Settings) {
    this.settings = settings
  }

  add(lease: LeaseId): void {
    this.leases.add(lease)
  }

  /** Rejects with the first `EtcdError`; what is left stays. */
  async revokeAll(): Promise<void> {
    const { etcd, timing, ttlSeconds } = this.settings
    const { callMs } = timing(ttlSeconds * 1_000)
    for (const lease of this.leases) {
      try {
        await etcd.revoke(lease, { deadlineMs: callMs })
      } catch (error) {
        if (!/lease not found/i.test((error as Error).message)) throw error
      }
      this.leases.delete(lease)
    }
  }
}
