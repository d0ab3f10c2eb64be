import { expect, it, vi } from 'vitest'
import type { LeaseId, Revision } from '../election/types.ts'
import type { Endpoints } from './endpoints.ts'
import { SharedNotices } from './notices.ts'
import { SharedRenewals } from './shared-renewals.ts'

/** A candidate may outlive the client that it was given: nothing must keep the process from ending then. */
function hosts() {
  const openOwn = vi.fn(() => new Promise<never>(() => {}))
  return { openOwn, hosts: { openOwn, current: () => 'fake', avoid: () => {} } as unknown as Endpoints }
}

it('opens no stream for a renewal after it was closed', async () => {
  const { openOwn, hosts: all } = hosts()
  const renewals = new SharedRenewals(all)
  renewals.close()
  const asked = renewals.renew('0000000000000001' as LeaseId, { deadlineMs: 100 })
  await expect(asked).rejects.toMatchObject({ kind: 'aborted' })
  expect(openOwn).not.toHaveBeenCalled()
})

it('opens no stream for notices after it was closed, and says that none will come', async () => {
  const { openOwn, hosts: all } = hosts()
  const notices = new SharedNotices(all)
  notices.close()
  const heard: string[] = []
  const span = { key: Uint8Array.of(1), end: Uint8Array.of(2) }
  notices.notice(span, '1' as Revision, (notice) => heard.push(notice))
  const stop = notices.notice(span, '1' as Revision, () => heard.push('stopped'))
  stop()
  await Promise.resolve()
  expect([heard, openOwn.mock.calls.length]).toEqual([['lost'], 0])
})
