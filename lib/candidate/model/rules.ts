/** What must hold at every moment, whatever happens. Each rule throws an error that says what was broken. */

import { compareTokens, type FencingToken } from '../../election/epoch.ts'
import type { StoreEvent } from '../../etcd/fake-store.ts'
import type { Contestant, TermRecord } from './contestant.ts'
import type { World } from './world.ts'

export class BrokenRule extends Error {}

export class Rules {
  private readonly world: World
  private last: { token: FencingToken; by: Contestant } | null = null
  private restoredMs: number | null = null
  /** Seats that somebody else took away: create revision → when. */
  private readonly wrongs = new Map<string, number>()
  /** The first that was broken: it is thrown where the run can be stopped. */
  broken: BrokenRule | null = null

  constructor(world: World) {
    this.world = world
  }

  /** After every task, when nothing more follows from it. */
  check(): void {
    if (this.broken !== null) throw this.broken
    const { contestants } = this.world
    for (const each of contestants)
      if (each.failure !== null) this.breach(`${each.name}: lead() rejected: ${each.failure}`)
    const writers = contestants.filter((each) => this.believes(each))
    for (const each of writers) {
      if (each.term?.isRefuted) this.breach(`${each.name} was told that its seat is gone, and believes on`)
      if (this.isHeldStopped()) this.breach(`${each.name} leads although a switch is engaged`)
    }
    if (writers.length < 2) return
    const newest = writers.reduce((a, b) => (this.isNewer(b, a) ? b : a))
    for (const each of writers) if (each !== newest && !this.isExcused(each)) this.breach(this.overlap(each, newest))
  }

  began(contestant: Contestant, term: TermRecord): void {
    const { token } = term.leadership
    const { name } = contestant
    if (contestant.running > 0) this.breach(`${name}: the work is called while an earlier call has not ended`)
    if (contestant.hasSeenRollback) this.breach(`${name} leads after it has seen a rollback`)
    if (token.epoch < contestant.seenEpoch) this.breach(`${name} leads in epoch ${token.epoch}, below one it has seen`)
    if (this.isHeldStopped()) this.breach(`${name} starts although a switch is engaged`)
    const stands = this.world.seats().some(({ createRevision }) => createRevision === token.revision)
    term.wrongedMs = this.wrongs.get(token.revision) ?? (stands ? null : this.restoredMs)
    if (term.wrongedMs !== null && !this.isExcused(contestant)) this.breach(`${name} starts although its key is gone`)
    if (term.wrongedMs !== null) return
    const { last } = this
    const isAgain = last?.by === contestant && compareTokens(token, last.token) === 0
    if (last !== null && !isAgain && compareTokens(token, last.token) <= 0)
      this.breach(
        `${name} leads with ${token.epoch}.${token.revision} after ${last.token.epoch}.${last.token.revision}`,
      )
    this.last = { token, by: contestant }
  }

  /** A key that competes was written or is gone. */
  written({ key, by, was, now }: StoreEvent): void {
    if (was === null) return
    const writer = this.world.contestants.find(({ name }) => name === by)
    if (writer !== undefined && (was.lease === null || !writer.leases.has(was.lease)))
      this.breach(`${by} ${now === null ? 'deleted' : 'overwrote'} ${key}, which is not its own`)
    if (writer !== undefined || by === null || now?.lease === was.lease) return
    this.wrong(was.createRevision)
  }

  restored(): void {
    const nowMs = this.world.time.monoMs()
    this.restoredMs = nowMs
    this.last = null
    // The same revisions are given out again.
    this.wrongs.clear()
    for (const { term } of this.world.contestants) if (term !== undefined) term.wrongedMs = nowMs
  }

  /** The first thing that a process can see after it was frozen. */
  woke(contestant: Contestant, frozenMs: number): void {
    const { mayWrite, isAborted } = this.world.time.as(contestant.name, () => ({
      mayWrite: contestant.mayWrite(),
      isAborted: contestant.term?.leadership.signal.aborted ?? true,
    }))
    if (frozenMs > this.world.deadlineMs && (mayWrite || !isAborted))
      this.breach(`${contestant.name} woke after ${frozenMs} ms and believes that it leads`)
    if (mayWrite) this.check()
  }

  breach(what: string): never {
    this.broken ??= new BrokenRule(`at ${Math.round(this.world.time.monoMs())} ms: ${what}`)
    throw this.broken
  }

  believes(contestant: Contestant): boolean {
    const { term, frozenSinceMs } = contestant
    if (term === undefined || frozenSinceMs !== null) return false
    if (!this.world.plan.isAsking) return !term.isToldToEnd
    return this.world.time.as(contestant.name, () => contestant.mayWrite())
  }

  private isHeldStopped(): boolean {
    const { engagedSinceMs, deadlineMs, time } = this.world
    return engagedSinceMs !== null && time.monoMs() > engagedSinceMs + deadlineMs
  }

  private wrong(createRevision: string): void {
    const nowMs = this.world.time.monoMs()
    this.wrongs.set(createRevision, nowMs)
    for (const { term } of this.world.contestants)
      if (term?.leadership.token.revision === createRevision) term.wrongedMs = nowMs
  }

  private isExcused({ term }: Contestant): boolean {
    if (term === undefined || term.wrongedMs === null) return false
    return this.world.time.monoMs() <= term.wrongedMs + this.world.deadlineMs
  }

  private isNewer(a: Contestant, b: Contestant): boolean {
    const [tokenA, tokenB] = [a.term?.leadership.token, b.term?.leadership.token]
    // After a restore the newer term may have the lower revision; what was taken away is the older one.
    if ((a.term?.wrongedMs === null) !== (b.term?.wrongedMs === null)) return a.term?.wrongedMs === null
    return tokenA !== undefined && tokenB !== undefined && compareTokens(tokenA, tokenB) > 0
  }

  private overlap(former: Contestant, newer: Contestant): string {
    const shown = ({ name, term }: Contestant) => `${name} (${term?.leadership.token.revision})`
    return `${shown(former)} and ${shown(newer)} believe at once that they lead`
  }
}
