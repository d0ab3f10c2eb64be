/** The end of each run: no faults any more, so the election must work, stop for a switch, and leave nothing behind. */
import { presence } from '../../election/presence.ts'
import { latin1 } from '../../shared/bytes.ts'
import type { Contestant } from './contestant.ts'
import { mend, throwSwitch } from './perform.ts'
import { TTL_MS, type World } from './world.ts'

const LIVE_WITHIN_MS = TTL_MS + 3_000
const STEP_MS = 50

export async function finish(world: World): Promise<void> {
  mend(world)
  await until(world, 'somebody leads after the faults have stopped', () => leader(world) !== undefined)
  await world.time.run(LIVE_WITHIN_MS)
  for (const each of world.contestants) mustTakePart(world, each)
  await rotate(world)
  await drill(world)
  await stopAll(world)
}

function leader({ contestants, rules }: World): Contestant | undefined {
  return contestants.find((each) => rules.believes(each))
}

async function until(world: World, what: string, holds: () => boolean, withinMs = LIVE_WITHIN_MS + 500): Promise<void> {
  for (let passedMs = 0; !holds(); passedMs += STEP_MS) {
    if (passedMs > withinMs) world.rules.breach(`not within ${withinMs} ms: ${what} (${states(world)})`)
    await world.time.run(STEP_MS)
  }
}

function states(world: World): string {
  const shown = ({ name, candidate, running }: Contestant) =>
    `${name} ${candidate.state}${running > 0 ? ', works' : ''}`
  const keys = world.seats().map(({ key, lease }) => `${latin1(key)} on ${lease}`)
  return `${world.contestants.map(shown).join('; ')}; keys: ${keys.join(', ')}`
}

function mustTakePart(world: World, contestant: Contestant): void {
  const isIn = contestant.candidate.state === 'leading' || contestant.candidate.state === 'waiting'
  const hasPlace = world.plan.layout === 'single-key' || world.seatOf(contestant) !== undefined
  if (!isIn || !hasPlace) world.rules.breach(`${contestant.name} is stuck (${states(world)})`)
}

/** Each gives up in its turn: in a queue everybody must come to lead. */
async function rotate(world: World): Promise<void> {
  const led = new Set<string>()
  for (let round = 0; round < 3; round += 1) {
    const now = leader(world)
    if (now === undefined) return world.rules.breach(`nobody leads in round ${round} (${states(world)})`)
    led.add(now.name)
    const { length } = now.terms
    world.within(now, () => void now.candidate.resign('its turn is over'))
    const hasChanged = () => leader(world) !== undefined && (leader(world) !== now || now.terms.length > length)
    await until(world, `somebody leads after ${now.name} has resigned`, hasChanged)
    await world.time.run(500)
  }
  if (world.plan.layout === 'queue' && led.size < 3) world.rules.breach(`only ${[...led]} led (${states(world)})`)
}

async function drill(world: World): Promise<void> {
  throwSwitch(world, 'job/', 'engaged')
  await world.time.run(1_500)
  if (leader(world) !== undefined) world.rules.breach('somebody leads 1.5 s after the switch was engaged')
  if (world.seats().length > 0) world.rules.breach(`keys are left although all are stopped (${states(world)})`)
  const said = [...world.etcd.store.all()].filter(({ key }) => latin1(key).startsWith('/tenure/presence/'))
  const stopped = said.filter(({ value }) => {
    const { state, switchNonces } = presence.parse(JSON.parse(new TextDecoder().decode(value)))
    return state === 'stopped' && switchNonces.length === 1
  })
  if (stopped.length !== 3) world.rules.breach(`${stopped.length} of 3 say that they are stopped (${states(world)})`)
  throwSwitch(world, 'job/', 'released')
  await until(world, 'somebody leads after the switch was released', () => leader(world) !== undefined, 3_000)
}

async function stopAll(world: World): Promise<void> {
  const { contestants, etcd, time } = world
  for (const each of contestants) world.within(each, () => each.stop())
  await time.run(6_000)
  for (const { name, leading, running, client } of contestants) {
    if (leading !== null || running > 0) world.rules.breach(`lead() of ${name} has not ended (${states(world)})`)
    if (time.waiting(name) > 0) world.rules.breach(`${name} has left ${time.waiting(name)} timers behind`)
    if (client.listening > 0) world.rules.breach(`${name} has left ${client.listening} notices behind`)
  }
  if (etcd.store.all().some(({ lease }) => lease !== null)) world.rules.breach(`keys are left (${states(world)})`)
}
