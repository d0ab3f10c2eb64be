/** The work of the leader: a settlement run every few seconds, in batches, each of them proven and fenced. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Leadership } from '../../lib/candidate/index.ts'
import { StaleTokenError } from '../../lib/fencing/index.ts'
import type { Ledger } from './ledger.ts'

export const RUN_EVERY_MS = 4_000
const BATCHES = 5
const BATCH_TAKES_MS = 150

export interface Settlement {
  region: string
  worker: string
  ledger: Ledger
  report(event: { type: 'run' | 'refused'; region: string; slot: number; booked?: number }): void
}

/** Runs until the leadership ends. A run that another worker began is finished, not repeated. */
export async function settle(settlement: Settlement, leadership: Leadership): Promise<void> {
  const { signal } = leadership
  while (!signal.aborted) {
    const slot = Math.floor(Date.now() / RUN_EVERY_MS)
    try {
      await runSlot(settlement, leadership, slot)
    } catch (error) {
      if (!(error instanceof StaleTokenError)) throw error
      // Somebody newer has written: this process is the one that is late.
      settlement.report({ type: 'refused', region: settlement.region, slot })
      return
    }
    const nextMs = (slot + 1) * RUN_EVERY_MS - Date.now()
    await pause(Math.max(0, nextMs), undefined, { signal }).catch(() => {})
  }
}

async function runSlot({ region, worker, ledger, report }: Settlement, leadership: Leadership, slot: number) {
  const { token, signal, proveStillLeading } = leadership
  let booked = 0
  for (let batch = 0; batch < BATCHES && !signal.aborted; batch += 1) {
    await pause(BATCH_TAKES_MS, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    proveStillLeading()
    if (await ledger.book({ region, slot, batch, worker }, token)) booked += 1
  }
  if (booked > 0) report({ type: 'run', region, slot, booked })
}
