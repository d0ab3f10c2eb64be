/** Makes the actions happen, and brings a run to its end: faults stop, and then the election must work. */

import type { LeaseId } from '../../election/types.ts'
import { latin1 } from '../../shared/bytes.ts'
import type { Action, Deed, SwitchState } from './actions.ts'
import type { Contestant } from './contestant.ts'
import { SWITCH, TTL_MS, type World } from './world.ts'

const HANDOFF_TTL_SECONDS = 8

export async function perform(world: World, action: Action): Promise<void> {
  happen(world, action)
  await world.time.run(action.do === 'pass' ? action.ms : 0)
}

function happen(world: World, action: Action): void {
  switch (action.do) {
    case 'pass':
      return
    case 'to':
      doTo(world, at(world, action.who), action)
      return
    case 'lag':
      Object.assign(at(world, action.who), { lagMs: action.ms, isTouchy: action.isTouchy })
      return
    case 'slow':
      world.network.slowMs.set(at(world, action.who).name, action.ms)
      return
    case 'weather':
      world.network.weather = action.weather
      return
    case 'switch':
      throwSwitch(world, action.scope, action.state)
      world.later(action.forMs, () => throwSwitch(world, action.scope, 'released'))
      return
    case 'hand off':
      handOff(world, action.to === null ? null : at(world, action.to))
      return
    case 'event':
      befall(world, action)
      return
    case 'restore':
      world.restore(action.back)
      world.later(action.forMs, () => world.needsEpoch && world.raiseEpoch())
      return
    case 'no space':
      world.etcd.store.isOutOfSpace = true
      world.later(action.forMs, () => {
        world.etcd.store.isOutOfSpace = false
      })
  }
}

function at({ contestants }: World, who: number): Contestant {
  return contestants[who] as Contestant
}

function doTo(world: World, contestant: Contestant, { what, forMs }: Extract<Action, { do: 'to' }>): void {
  const { candidate, name } = contestant
  switch (what) {
    case 'start':
      world.within(contestant, () => contestant.start())
      return
    case 'stop':
      world.within(contestant, () => contestant.stop())
      world.later(forMs, () => world.within(contestant, () => contestant.start()))
      return
    case 'resign':
      world.within(contestant, () => void candidate.resign('the model'))
      return
    case 'proclaim':
      world.within(contestant, () => void contestant.term?.leadership.proclaim('here').catch(() => {}))
      return
    case 'partition':
      world.etcd.partition(name)
      world.later(forMs, () => world.etcd.heal(name))
      return
    case 'freeze':
      world.freeze(contestant)
      world.later(forMs, () => world.wake(contestant))
      return
    default:
      meddle(world, contestant, { what, forMs })
  }
}

/** Somebody else lays hands on its key. */
function meddle(world: World, contestant: Contestant, { what, forMs }: { what: Deed; forMs: number }): void {
  const seat = world.seatOf(contestant)
  if (seat === undefined) return
  const key = latin1(seat.key)
  if (what === 'revoke lease' && seat.lease !== null) world.revoke(seat.lease)
  if (what === 'delete key' || what === 'take key') world.remove(key)
  if (what === 'take key') world.put(key, 'a foreigner', world.lease(TTL_MS / 1_000))
  if (what !== 'hold key') return
  world.put(key, '{"tenure":"halt"}')
  world.later(forMs, () => world.clearForeigners())
}

export function throwSwitch(world: World, scope: 'job/' | '', state: SwitchState): void {
  const nowMs = world.time.monoMs()
  const isUnknown = state === 'unknown version'
  const verdict = isUnknown ? { v: 2, state: 'released' } : { v: 1, state }
  const record = { ...verdict, reason: 'the model', by: 'anna', match: 'prefix' }
  const times = { at: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' }
  const names = { nonce: `n${nowMs}`, operation: `o${nowMs}` }
  const value = state === 'garbled' ? '{"v":1,"st' : JSON.stringify({ ...record, ...times, ...names })
  // A single key is the election itself: `job`, not `job/`.
  const key = SWITCH + (scope === '' ? '' : world.prefix)
  if (state === 'released') world.engaged.delete(key)
  else world.engaged.add(key)
  world.heldSince()
  world.put(key, value)
}

function handOff(world: World, to: Contestant | null): void {
  const [head] = world.seats()
  if (head === undefined) return
  const seat = to === null ? null : world.seatOf(to)
  if (seat === undefined || (seat !== null && seat.lease === null)) return
  const target = seat === null ? null : { createRevision: seat.createRevision, lease: seat.lease as LeaseId }
  const token = { epoch: world.epoch, revision: head.createRevision }
  const request = { v: 1, id: `h${world.time.monoMs()}`, token, target, reason: 'the model', by: 'anna' }
  world.put(world.handoffKey, JSON.stringify(request), world.lease(HANDOFF_TTL_SECONDS))
}

function befall(world: World, { what, forMs }: Extract<Action, { do: 'event' }>): void {
  switch (what) {
    case 'withdraw':
      world.remove(world.handoffKey)
      return
    case 'raise epoch':
      world.raiseEpoch()
      return
    case 'garble epoch':
      world.needsEpoch = true
      world.put('/tenure/epoch', '{"v":1,"ep')
      world.later(forMs, () => world.needsEpoch && world.raiseEpoch())
      return
    case 'foreigner comes':
      world.put(world.plan.layout === 'queue' ? 'job/7fff' : 'job', 'a foreigner', world.lease(TTL_MS / 1_000))
  }
}

/** Every fault ends, and everybody takes part. */
export function mend(world: World): void {
  world.isMended = true
  world.network.weather = 'calm'
  world.network.slowMs.clear()
  world.etcd.store.isOutOfSpace = false
  for (const scope of ['job/', ''] as const) throwSwitch(world, scope, 'released')
  world.remove(world.handoffKey)
  world.clearForeigners()
  if (world.needsEpoch) world.raiseEpoch()
  for (const contestant of world.contestants) {
    contestant.lagMs = Math.min(contestant.lagMs, 100)
    world.etcd.heal(contestant.name)
    world.wake(contestant)
    world.within(contestant, () => contestant.start())
  }
}
