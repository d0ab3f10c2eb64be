/** Twenty candidates of one election, killed, ended, frozen, cut off and told to resign at random. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Random, seeded } from '../../scripts/soak/random.ts'
import { eventually } from '../harness/library-candidate.ts'
import type { ProxyMode } from '../harness/proxy.ts'
import { note, shownMs, tellFigures } from './figures.ts'
import { type Entered, type FaultRun, withRun } from './run.ts'
import { EXPIRY_LAG_MS, type FaultStage, LONG, openStage } from './stage.ts'

let stage: FaultStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  tellFigures('candidates restart at random')
  await stage.stop()
})

const CANDIDATES = 20
const TTL_MS = 3_000
const DURATION_MS = LONG ? 180_000 : 30_000
const SEED = Number(process.env.TENURE_TEST_SEED ?? 1 + Math.floor(Math.random() * 999_999))

type Deed = 'kill' | 'end' | 'freeze' | 'cut' | 'resign'
const CUTS: readonly ProxyMode[] = ['black-hole', 'no-answers', 'no-requests', 'reset', 'refuse', 'delay']

/** What is done to whom, drawn from the seed. */
interface Blow {
  deed: Deed
  forMs: number
  cut: ProxyMode
}

/** One place in the deployment: a worker, and another one after it. */
class Slot {
  worker: Entered | null = null
  isBusy = false
  private readonly run: FaultRun
  private readonly name: string
  private starts = 0

  constructor(run: FaultRun, name: string) {
    this.run = run
    this.name = name
  }

  async start(): Promise<void> {
    this.starts += 1
    this.worker = await this.run.spawn(`${this.name}.${this.starts}`, {
      ttlSeconds: TTL_MS / 1_000,
      writeEveryMs: 50,
      proxied: true,
    })
    this.worker.order({ do: 'enter' })
  }

  async suffer({ deed, forMs, cut }: Blow): Promise<void> {
    const { worker, run } = this
    if (worker === null) return
    this.isBusy = true
    if (deed === 'resign') worker.order({ do: 'resign', reason: 'a random one' })
    else if (deed === 'freeze') {
      run.freeze(worker)
      await pause(forMs)
      run.thaw(worker)
    } else if (deed === 'cut') {
      await worker.network(cut, { delayMs: 1_500 })
      await pause(forMs)
      await worker.network('pass')
    } else {
      if (deed === 'kill') await run.kill(worker)
      else await run.end(worker)
      await pause(forMs / 4)
      await this.start()
    }
    this.isBusy = false
  }
}

async function shake(slots: readonly Slot[], random: Random): Promise<Map<Deed, number>> {
  const done = new Map<Deed, number>()
  const deeds = random.bag<Deed>([
    'kill',
    'kill',
    'kill',
    'end',
    'end',
    'freeze',
    'freeze',
    'cut',
    'cut',
    'cut',
    'resign',
  ])
  const cuts = random.bag(CUTS)
  const suffering: Promise<void>[] = []
  const endMs = performance.now() + DURATION_MS
  while (performance.now() < endMs) {
    await pause(random.whole(100, 900))
    const free = slots.filter(({ isBusy, worker }) => !isBusy && worker?.isRunning())
    const leading = free.find(({ worker }) => worker?.leadsWith() !== null)
    const blow: Blow = { deed: deeds(), forMs: random.skewed(300, 9_000), cut: cuts() }
    const any = random.pick(free)
    const victim = random.next() < 0.5 ? (leading ?? any) : any
    done.set(blow.deed, (done.get(blow.deed) ?? 0) + 1)
    suffering.push(victim.suffer(blow))
  }
  await Promise.all(suffering)
  return done
}

it(`of ${CANDIDATES} candidates at most one leads at any time`, { timeout: DURATION_MS + 120_000 }, () =>
  withRun(stage, `${CANDIDATES} candidates for ${DURATION_MS / 1_000} s, seed ${SEED}`, async (run) => {
    const random = seeded(SEED)
    const slots = Array.from({ length: CANDIDATES }, (_, at) => new Slot(run, `w${at + 1}`))
    await Promise.all(slots.map((slot) => slot.start()))
    await eventually('all are in the queue', async () => (await run.keys()).length === CANDIDATES, 60_000)
    const done = await shake(slots, random)
    const leader = () => slots.find(({ worker }) => worker?.leadsWith() !== null)
    // The last ones that were killed may stand one after the other before the first that lives.
    await eventually('somebody leads in the end', () => leader() !== undefined, 2 * TTL_MS + EXPIRY_LAG_MS)
    const { terms, vacancyMs } = await run.judged({ exclusive: true })
    note(
      run.name,
      `${[...done].map(([deed, times]) => `${deed} ×${times}`).join(', ')}; longest vacancy ${shownMs(vacancyMs)}`,
    )
    expect(terms).toBeGreaterThan(2)
  }),
)
