import { randomUUID } from 'node:crypto'
import type { Delivery } from '../../../lib/election/alerts.ts'
import type { Instant } from '../../../lib/shared/clock.ts'

/** A test message in the log of deliveries: it was tried once, outside the queue. */
export function testDelivery(
  { channel, at, endedAt }: { channel: string; at: Instant; endedAt: Instant },
  { delivered, error }: { delivered: boolean; error?: string },
): Delivery {
  return {
    id: randomUUID(),
    channel,
    kind: 'test',
    alertId: null,
    key: '',
    summary: 'Test message',
    at,
    state: delivered ? 'delivered' : 'failed',
    attempts: 1,
    deliveredAt: delivered ? endedAt : null,
    error: error ?? null,
    nextAt: null,
  }
}
