/** Every question that a candidate asks of etcd, and every write it makes: each one linearizable and guarded. */
import { type HandoffRequest, handoffRequest } from '../election/handoff.ts'
import type { Compare, Header, KeyValue, Op, Txn, TxnAnswer } from '../election/ports.ts'
import { EtcdError } from '../election/ports.ts'
import { judgeSwitches, type SwitchVerdict } from '../election/switches.ts'
import type { LeaseId, Revision } from '../election/types.ts'
import { fromLatin1, latin1, utf8 } from '../shared/bytes.ts'
import { nextDecimal } from '../shared/decimal.ts'
import { SeatLost, withNeeds } from './errors.ts'
import type { Keys } from './keys.ts'
import type { Settings } from './options.ts'
import type { Mark, Witness } from './witness.ts'

/** A place in the queue, or the single key: this key, created at this revision, on this lease. */
export interface Seat {
  key: Uint8Array
  createRevision: Revision
  lease: LeaseId
}

/** The switches as they stood at a revision, judged for this election. */
export interface SwitchView extends SwitchVerdict {
  at: Revision
}

export interface Standing {
  header: Header
  epoch: number
  handoff: (HandoffRequest & { modRevision: Revision }) | null
}

export type Look =
  | ({ type: 'elected' } & Standing)
  /** `ahead` is the nearest key before the own one; `head` leads. */
  | ({ type: 'behind'; ahead: KeyValue; head: KeyValue } & Standing)
  /** A switch was written since the view: judge again. */
  | { type: 'switches changed' }

export type Entry = { type: 'entered'; seat: Seat } | { type: 'held'; holder: KeyValue } | { type: 'switches changed' }

export class Transactions {
  private readonly settings: Settings
  private readonly keys: Keys
  private readonly witness: Witness
  private callMs: number

  constructor(settings: Settings, keys: Keys, witness: Witness) {
    this.settings = settings
    this.keys = keys
    this.witness = witness
    this.callMs = settings.timing(settings.ttlSeconds * 1_000).callMs
  }

  /** Before anything is entered: also refuses an epoch in which no token may be led. */
  async switches(): Promise<SwitchView> {
    const { metaPrefix } = this.settings
    const { header, ranges } = await this.ask(
      { compare: [], success: [this.readSwitches, this.readEpoch] },
      `read ${metaPrefix}switch/ and ${metaPrefix}epoch: a kill switch that cannot be read counts as engaged`,
    )
    this.witness.epochOf(ranges[1]?.[0])
    this.witness.admit()
    return this.judge(header, ranges[0] ?? [])
  }

  /** The epoch key as it is, believed or not. */
  async epochNow(): Promise<{ header: Header; epoch: KeyValue | undefined; mark: Mark }> {
    const mark = this.witness.mark()
    const { header, ranges } = await this.settings.etcd.txn({ compare: [], success: [this.readEpoch] }, this.call)
    return { header, epoch: ranges[0]?.[0], mark }
  }

  /** Whether nothing at all exists under the meta prefix; false when this account may not know. */
  async isAlone(): Promise<boolean> {
    try {
      return (await this.settings.etcd.range({ ...this.keys.meta, limit: 1 }, this.call)).kvs.length === 0
    } catch (error) {
      if (error instanceof EtcdError && error.kind === 'denied') return false
      throw error
    }
  }

  /**
   * Creates the own key, unless a switch came since `view`: a request that arrives late must not bring a stopped
   * candidate back into the queue. A single key may have a holder: then its key.
   */
  async enter(lease: LeaseId, view: SwitchView): Promise<Entry> {
    const key = this.keys.own(lease)
    const { header, succeeded, ranges } = await this.ask({
      compare: [{ key, field: 'create', is: 'equal', to: '0' as Revision }, ...this.unchanged(view)],
      success: [{ type: 'put', key, value: utf8(this.settings.identity), lease }],
      failure: [{ type: 'range', request: { key } }],
    })
    if (succeeded) return { type: 'entered', seat: { key, createRevision: header.revision, lease } }
    const found = ranges[0]?.[0]
    if (found === undefined) return { type: 'switches changed' }
    // A create that was sent twice finds its own key.
    if (found.lease === lease) return { type: 'entered', seat: { key, createRevision: found.createRevision, lease } }
    if (this.settings.layout === 'queue') throw new SeatLost('key gone', 'the own key is held by another lease')
    return { type: 'held', holder: found }
  }

  /** The win check: elected only when own key and lease stand, nobody is older, and no switch came since `view`. */
  async look(seat: Seat, view: SwitchView): Promise<Look> {
    const { key, end } = this.keys.seats
    const oldest: Op = { type: 'range', request: { key, end, order: 'oldest-first', limit: 1 } }
    const ahead: Op = {
      type: 'range',
      request: { key, end, order: 'newest-first', createdBefore: seat.createRevision, limit: 1 },
    }
    const answer = await this.ask({
      compare: [...own(seat), ...this.unchanged(view)],
      success: [oldest, ahead, this.readEpoch, this.readHandoff, this.readSwitches],
      failure: [{ type: 'range', request: { key: seat.key } }],
    })
    if (!answer.succeeded) {
      this.mustStand(seat, answer.ranges[0]?.[0])
      return { type: 'switches changed' }
    }
    const [[head] = [], [before] = [], [epoch] = [], [handoff] = [], switches = []] = answer.ranges
    // A record that a restore brought back is older than the view.
    if (this.judge(answer.header, switches).stopped) return { type: 'switches changed' }
    const standing = this.standing(answer.header, epoch, handoff)
    if (before === undefined) return { type: 'elected', ...standing }
    return { type: 'behind', ahead: before, head: head ?? before, ...standing }
  }

  /** What a leader needs after each renewal. Rejects with `SeatLost` when the own key or its lease is not there. */
  async prove(seat: Seat): Promise<Standing & { view: SwitchView }> {
    const { header, ranges } = await this.askAs(seat, [this.readSwitches, this.readEpoch, this.readHandoff])
    const [switches = [], [epoch] = [], [handoff] = []] = ranges
    return { ...this.standing(header, epoch, handoff), view: this.judge(header, switches) }
  }

  /** Whether this candidate comes right after the leader. Rejects with `SeatLost` when that one leads no more. */
  async isNext(leader: Seat, target: { createRevision: Revision; lease: LeaseId }): Promise<boolean> {
    const { key, end } = this.keys.seats
    const two: Op = { type: 'range', request: { key, end, order: 'oldest-first', limit: 2 } }
    const [[, next] = []] = (await this.askAs(leader, [two])).ranges
    return next?.createRevision === target.createRevision && next.lease === target.lease
  }

  /** New value, same place. Rejects with `SeatLost` when the seat is no longer held. */
  async proclaim(seat: Seat, value: Uint8Array): Promise<void> {
    await this.askAs(seat, [{ type: 'put', key: seat.key, value, lease: seat.lease }])
  }

  /**
   * Deletes the own key while it is still the own one, with a last word in the presence key. Out of space or
   * without the right to write there, the delete goes alone. True when the key is not there any more.
   */
  async release(seat: Seat, lastWord: Op | null, also: readonly Compare[] = []): Promise<boolean> {
    const remove: Op = { type: 'delete', key: seat.key }
    const compare = [...own(seat), ...also]
    const failure: Op[] = [{ type: 'range', request: { key: seat.key } }]
    const gone = ({ succeeded, ranges }: TxnAnswer) => succeeded || !isSeat(seat, ranges[0]?.[0])
    if (lastWord !== null) {
      try {
        return gone(await this.ask({ compare, success: [remove, lastWord], failure }))
      } catch (error) {
        if (!(error instanceof EtcdError) || (error.kind !== 'no-space' && error.kind !== 'denied')) throw error
      }
    }
    return gone(await this.ask({ compare, success: [remove], failure }))
  }

  async write(op: Op): Promise<void> {
    const presence = `${this.settings.metaPrefix}presence/`
    await this.ask({ compare: [], success: [op] }, `write ${presence}: the dashboard does not see this candidate`)
  }

  /** That the request is still the one that was read. */
  sameHandoff({ modRevision }: { modRevision: Revision }): Compare {
    return { key: this.keys.handoff, field: 'mod', is: 'equal', to: modRevision }
  }

  /** `needs` is what this account must be allowed to do: etcd does not say what it denied. */
  private async ask(txn: Txn, needs = this.needs): Promise<TxnAnswer> {
    const mark = this.witness.mark()
    try {
      const answer = await this.settings.etcd.txn(txn, this.call)
      this.witness.saw(answer.header, mark)
      return answer
    } catch (error) {
      throw withNeeds(error, needs)
    }
  }

  /** While the seat stands. */
  private async askAs(seat: Seat, success: readonly Op[]): Promise<TxnAnswer> {
    const answer = await this.ask({
      compare: own(seat),
      success,
      failure: [{ type: 'range', request: { key: seat.key } }],
    })
    if (!answer.succeeded) this.mustStand(seat, answer.ranges[0]?.[0])
    return answer
  }

  private get needs(): string {
    const { prefix, metaPrefix } = this.settings
    return `read and write ${prefix} and to read ${metaPrefix}`
  }

  private get call() {
    return { deadlineMs: this.callMs }
  }

  private get readSwitches(): Op {
    return { type: 'range', request: this.keys.switches }
  }

  private get readEpoch(): Op {
    return { type: 'range', request: { key: this.keys.epoch } }
  }

  private get readHandoff(): Op {
    return { type: 'range', request: { key: this.keys.handoff } }
  }

  /** No record was written after the view; in `halt` mode the one that lets it run is still there. */
  private unchanged({ at, armedBy }: SwitchView): Compare[] {
    const none: Compare = { ...this.keys.switches, field: 'mod', is: 'less', to: nextDecimal(at) as Revision }
    if (this.settings.onMissingSwitch !== 'halt' || armedBy === null) return [none]
    const key = fromLatin1(this.keys.switchPrefix + armedBy)
    return [none, { key, field: 'create', is: 'greater', to: '0' as Revision }]
  }

  private judge(header: Header, kvs: readonly KeyValue[]): SwitchView {
    const skip = this.keys.switchPrefix.length
    const stored = kvs.map(({ key, value }) => ({ scope: latin1(key).slice(skip), value }))
    const verdict = judgeSwitches(this.settings.prefix, stored)
    const at = header.revision
    if (this.settings.onMissingSwitch === 'run' || verdict.armedBy !== null) return { ...verdict, at }
    return { ...verdict, at, stopped: true, reason: 'no switch record exists for this election, and it must (halt)' }
  }

  private standing(header: Header, epoch: KeyValue | undefined, handoff: KeyValue | undefined): Standing {
    return { header, epoch: this.witness.epochOf(epoch), handoff: requestOf(handoff) }
  }

  private mustStand(seat: Seat, found: KeyValue | undefined): void {
    if (found === undefined) throw new SeatLost('key gone', 'the own key was deleted')
    if (!isSeat(seat, found)) throw new SeatLost('key gone', 'the own key was put again by somebody else')
  }
}

function own({ key, createRevision, lease }: Seat): Compare[] {
  return [
    { key, field: 'create', is: 'equal', to: createRevision },
    { key, field: 'lease', is: 'equal', to: lease },
  ]
}

function isSeat({ createRevision, lease }: Seat, found: KeyValue | undefined): boolean {
  return found?.createRevision === createRevision && found.lease === lease
}

/** A request that cannot be read asks for nothing: what it would stop goes on. */
function requestOf(kv: KeyValue | undefined): Standing['handoff'] {
  if (kv === undefined) return null
  try {
    return { ...handoffRequest.parse(JSON.parse(new TextDecoder().decode(kv.value))), modRevision: kv.modRevision }
  } catch {
    return null
  }
}
