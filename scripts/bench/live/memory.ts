/** Resident memory of a server once it has settled. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../support/median.ts'

const SAMPLES = 10
const EVERY_MS = 500

/** NaN when the process has ended. */
export function residentMb(pid: number): number {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kb) / 1024
  } catch {
    return Number.NaN
  }
}

/** The median over a few seconds, in MB (2^20 bytes). */
export async function settledMb(pid: number, settleMs: number): Promise<number> {
  await pause(settleMs)
  const samples: number[] = []
  for (let at = 0; at < SAMPLES; at += 1) {
    samples.push(residentMb(pid))
    await pause(EVERY_MS)
  }
  return median(samples)
}
