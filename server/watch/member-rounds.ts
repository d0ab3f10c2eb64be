/** Looks at every member: its probe each second, its status now and then, more often while one is in trouble. */
import type { Etcd } from '../../lib/election/ports.ts'
import { sleep } from '../../lib/shared/abort.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import type { Members } from './members.ts'
import { runProbe } from './probe.ts'

const WELL_MS = 15_000
const TROUBLE_MS = 3_000

interface MemberRoundsOptions {
  etcd: Etcd
  clock: Clock
  members: Members
  /** Whether each member gets a lease of ours, to be renewed. */
  probe: boolean
  /** null: no answer. */
  onProbe: (endpoint: string, rttMs: number | null) => void
}

export class MemberRounds {
  private readonly options: MemberRoundsOptions
  private doubts = new AbortController()

  constructor(options: MemberRoundsOptions) {
    this.options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    const probes = this.options.probe ? this.options.etcd.endpoints : []
    await Promise.all([this.look(signal), ...probes.map((endpoint) => this.probe(endpoint, signal))])
  }

  /** Something points at a member in trouble: the next look is made now. */
  doubt(): void {
    this.doubts.abort()
  }

  private async look(signal: AbortSignal): Promise<void> {
    const { members } = this.options
    while (!signal.aborted) {
      await members.refresh(signal)
      await this.rest(members.inTrouble() ? TROUBLE_MS : WELL_MS, signal)
    }
  }

  /** Waits, but less while in doubt; never so little that doubts alone make a load. */
  private async rest(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(Math.min(ms, TROUBLE_MS / 3), signal)
    if (!this.doubts.signal.aborted && ms > TROUBLE_MS / 3) {
      const either = AbortSignal.any([signal, this.doubts.signal])
      await sleep(ms - TROUBLE_MS / 3, either)
    }
    this.doubts = new AbortController()
  }

  private probe(endpoint: string, signal: AbortSignal): Promise<void> {
    const { etcd, clock, onProbe } = this.options
    const onSilence = () => {
      onProbe(endpoint, null)
      this.doubt()
    }
    return runProbe({ etcd, clock, endpoint, onRtt: (rttMs) => onProbe(endpoint, rttMs), onSilence }, signal)
  }
}
