/**
 * The server's resident memory over its runs. Each kill begins a new process, so a run is compared with
 * itself: once it has settled after its first listing, and at its end.
 */
import { residentMb } from '../bench/live/memory.ts'
import { median } from '../bench/support/median.ts'

const EVERY_MS = 1_000
/** The server tightens its heap 10 s after its start (`server/heap.ts`). */
export const SETTLED = { fromMs: 14_000, toMs: 18_000 }
const LATE_MS = 5_000
/** Shorter runs have no end apart from their beginning. */
const LEAST_MS = 25_000

export interface MemorySample {
  ageMs: number
  mb: number
}

export interface RunMemory {
  seconds: number
  settledMb: number
  endMb: number
}

export interface MemoryReport {
  runs: number
  /** Runs that lasted long enough to be compared, in order. */
  compared: RunMemory[]
}

/** Null for a run that is too short. */
export function runMemory(samples: readonly MemorySample[]): RunMemory | null {
  const lastMs = samples.at(-1)?.ageMs ?? 0
  const between = (fromMs: number, toMs: number) =>
    samples.filter(({ ageMs }) => ageMs >= fromMs && ageMs <= toMs).map(({ mb }) => mb)
  const settled = between(SETTLED.fromMs, SETTLED.toMs)
  if (lastMs < LEAST_MS || settled.length === 0) return null
  const seconds = Math.round(lastMs / 1_000)
  return { seconds, settledMb: median(settled), endMb: median(between(lastMs - LATE_MS, lastMs)) }
}

export class MemoryWatch {
  private readonly ended: MemorySample[][] = []
  private samples: MemorySample[] = []
  private timer: ReturnType<typeof setInterval> | undefined

  begin(pid: number): void {
    const startedMs = performance.now()
    this.timer = setInterval(() => {
      const mb = residentMb(pid)
      // A process that has just been killed has no memory any more.
      if (Number.isFinite(mb)) this.samples.push({ ageMs: performance.now() - startedMs, mb })
    }, EVERY_MS)
  }

  end(): void {
    clearInterval(this.timer)
    if (this.samples.length > 0) this.ended.push(this.samples)
    this.samples = []
  }

  report(): MemoryReport {
    return { runs: this.ended.length, compared: this.ended.map(runMemory).filter((run) => run !== null) }
  }
}

const inMb = (mb: number) => mb.toFixed(0)
const times = ({ settledMb, endMb }: RunMemory) => (endMb / settledMb).toFixed(2)

export function tellMemory({ runs, compared }: MemoryReport): string {
  const worst = compared.toSorted((a, b) => b.endMb / b.settledMb - a.endMb / a.settledMb)[0]
  const [first, last] = [compared[0], compared.at(-1)]
  if (worst === undefined || first === undefined || last === undefined) {
    return `memory: not compared, no run of the server lasted ${LEAST_MS / 1_000} s`
  }
  const one = (run: RunMemory) => `${inMb(run.settledMb)} → ${inMb(run.endMb)} MB in ${run.seconds} s, ${times(run)} ×`
  return [
    `memory: resident, ${SETTLED.fromMs / 1_000} s after a start → at that run's end, ${compared.length} of ${runs} runs:`,
    `  first ${one(first)}; last ${one(last)}; worst ${one(worst)}`,
    `  end of the soak against its beginning: ${(last.endMb / first.settledMb).toFixed(2)} × (reach ≤ 1.2)`,
  ].join('\n')
}
