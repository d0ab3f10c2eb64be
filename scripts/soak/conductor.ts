/** Plays the planned steps on the stage, each lane in its own rhythm. */
import { setTimeout as pause } from 'node:timers/promises'
import type { EtcdMember } from '../../e2e/harness/etcd-member.ts'
import type { Deal } from './model.ts'
import type { Lane, Planned, Step } from './plan.ts'
import { leaderAmong } from './replay.ts'
import { SEATS, type Stage } from './stage.ts'

/** A step that comes later than this, because the one before it took long, is left out. */
const LATE_MS = 5_000
const HEAL_WITHIN_MS = 45_000

type Of<L extends Lane> = Extract<Step, { lane: L }>

export class Conductor {
  readonly deals: Deal[] = []
  private readonly stage: Stage
  private readonly startedMs = performance.now()

  constructor(stage: Stage) {
    this.stage = stage
  }

  /** Resolves when every step has been taken and every fault mended. */
  async play(steps: readonly Planned[]): Promise<void> {
    const lanes = Map.groupBy(steps, ({ lane }) => lane)
    await Promise.all([...lanes.values()].map((lane) => this.playLane(lane)))
    await this.stage.etcd.waitHealthy(HEAL_WITHIN_MS)
  }

  private async playLane(steps: readonly Planned[]): Promise<void> {
    for (const step of steps) {
      const dueInMs = step.atMs - (performance.now() - this.startedMs)
      if (dueInMs < -LATE_MS) continue
      if (dueInMs > 0) await pause(dueInMs)
      const deal: Deal = { what: words(step), fromMs: Date.now(), toMs: 0 }
      this.deals.push(deal)
      await this.take(step)
      deal.toMs = Date.now()
    }
  }

  private take(step: Step): Promise<void> | void {
    switch (step.lane) {
      case 'churn':
        return this.churn(step)
      case 'pods':
        return this.stage.pods[step.what === 'kill pod' ? 'kill' : 'freeze'](step.pick, step.forMs, rest)
      case 'elect':
        return this.stage.pods.replaceElect(step.pick, step.what === 'stop elect' ? 'stop' : 'kill', {
          rest: () => rest(step.forMs),
          revokeOf: (identity) => this.revokeOf(identity),
        })
      case 'etcd':
        return this.etcd(step)
      case 'network':
        return this.network(step)
      case 'server':
        return this.server(step)
      case 'compaction':
        return this.compact()
    }
  }

  private churn({ what, pick, leader }: Of<'churn'>): void {
    const { pods, observer } = this.stage
    if (what === 'join') {
      pods.newcomer(pick)
      return
    }
    const identities = leader
      ? SEATS.flatMap((seat) => leaderAmong(seat, observer.keys.all.values())?.value ?? [])
      : pods.identities()
    const identity = identities[Math.floor(pick * identities.length)]
    if (identity === undefined) return
    const againMs = Math.round(50 + pick * 3_000)
    pods.order(identity, (id) => {
      if (what === 'resign' || what === 'revoke') return { do: what, id, againMs }
      return { do: what, id }
    })
  }

  private async revokeOf(identity: string): Promise<void> {
    const { observer, client } = this.stage
    const key = [...observer.keys.all.values()].find(({ value }) => value === identity)
    if (key !== undefined) await client.leaseClient.leaseRevoke({ ID: key.lease }).catch(() => {})
  }

  private async etcd({ what, pick, forMs }: Of<'etcd'>): Promise<void> {
    const { members } = this.stage.etcd
    const first = Math.floor(pick * members.length)
    const around = (count: number) => members.map((_, at) => members[(first + at) % members.length]).slice(0, count)
    const leader = /raft leader/.test(what) ? await this.raftLeader() : undefined
    const chosen = (leader ? [leader] : around(/two/.test(what) ? 2 : 1)).filter((member) => member !== undefined)
    if (what === 'move raft leader') return this.moveLeader(leader, pick)
    if (/^kill/.test(what)) {
      await Promise.all(chosen.map((member) => member.kill()))
      await rest(forMs)
      await Promise.all(chosen.map((member) => member.start({ healthyWithinMs: 0 })))
    } else {
      for (const member of chosen) member.freeze()
      await rest(forMs)
      for (const member of chosen) member.thaw()
    }
    await this.stage.etcd.waitHealthy(HEAL_WITHIN_MS)
  }

  private async moveLeader(leader: EtcdMember | undefined, pick: number): Promise<void> {
    const { etcd, memberIds } = this.stage
    const others = etcd.members.filter((member) => member !== leader)
    const target = memberIds.get(others[Math.floor(pick * others.length)]?.name ?? '')
    if (leader === undefined || target === undefined) return
    await etcd.etcdctl(['move-leader', target], { endpoints: [leader.endpoint] })
  }

  private raftLeader(): Promise<EtcdMember | undefined> {
    return this.stage.etcd.raftLeader().catch(() => undefined)
  }

  private async network({ mode, proxies: count, pick, forMs, compact }: Of<'network'>): Promise<void> {
    const { proxies } = this.stage
    const first = Math.floor(pick * proxies.length)
    const chosen = proxies.map((_, at) => proxies[(first + at) % proxies.length]).slice(0, count)
    const delayMs = Math.round(50 + pick * 900)
    await Promise.all(chosen.map((proxy) => proxy?.setMode(mode, { delayMs })))
    await rest(forMs / 2)
    if (compact) await this.compact()
    await rest(forMs / 2)
    await Promise.all(chosen.map((proxy) => proxy?.setMode('pass')))
  }

  private async server({ what, forMs }: Of<'server'>): Promise<void> {
    const { server } = this.stage
    if (what === 'freeze server') {
      server.freeze()
      await rest(forMs + 3_000)
      return server.thaw()
    }
    await server.kill()
    await rest(forMs)
    await server.start()
  }

  /** Everything up to now; while etcd has no quorum that fails, and is left at that. */
  private async compact(): Promise<void> {
    const { client, observer } = this.stage
    await client.kv.compact({ revision: String(observer.revision), physical: false }).catch(() => {})
  }
}

const rest = async (ms: number) => void (await pause(ms))

function words(step: Step): string {
  switch (step.lane) {
    case 'network':
      return `${step.mode} of ${step.proxies} ${step.proxies === 1 ? 'proxy' : 'proxies'}${step.compact ? ' and compact' : ''}`
    case 'churn':
      return step.leader && step.what !== 'join' ? `${step.what} leader` : step.what
    default:
      return step.what
  }
}
