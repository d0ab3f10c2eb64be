/** What will be done when: drawn from the seed alone, before anything starts. */
import { type Random, seeded } from './random.ts'

export type ChurnKind = 'join' | 'resign' | 'proclaim' | 'revoke' | 'leave'
export type NetworkMode = 'black-hole' | 'reset' | 'refuse' | 'delay'

/** `pick` is in [0, 1) and chooses among what is there when the step comes. */
export type Step =
  | { lane: 'churn'; what: ChurnKind; pick: number; leader: boolean }
  | { lane: 'pods'; what: 'kill pod' | 'freeze pod'; pick: number; forMs: number }
  | { lane: 'elect'; what: 'stop elect' | 'kill elect'; pick: number; forMs: number }
  | {
      lane: 'etcd'
      what: 'kill member' | 'kill raft leader' | 'freeze member' | 'freeze raft leader' | 'move raft leader'
      pick: number
      forMs: number
    }
  | { lane: 'etcd'; what: 'kill two members' | 'freeze two members'; pick: number; forMs: number }
  | { lane: 'network'; mode: NetworkMode; proxies: number; pick: number; forMs: number; compact: boolean }
  | { lane: 'server'; what: 'kill server' | 'freeze server'; forMs: number }
  | { lane: 'compaction'; what: 'compact' }

export type Lane = Step['lane']
export type Planned = Step & { atMs: number }

const START_QUIET_MS = 4_000
const END_QUIET_MS = 4_000
const QUIET = { everyMs: [35_000, 70_000], forMs: [6_000, 12_000] } as const

interface LanePlan {
  /** From the end of one step to the beginning of the next. */
  restMs: readonly [number, number]
  draw: () => Step
}

function lanesOf(random: Random): LanePlan[] {
  const pick = () => random.next()
  const churn = random.bag<ChurnKind>([
    ...Array<ChurnKind>(7).fill('join'),
    ...Array<ChurnKind>(7).fill('resign'),
    ...Array<ChurnKind>(4).fill('proclaim'),
    ...Array<ChurnKind>(3).fill('revoke'),
    ...Array<ChurnKind>(3).fill('leave'),
  ])
  const pods = random.bag(['kill pod', 'freeze pod', 'freeze pod'] as const)
  const elect = random.bag(['stop elect', 'stop elect', 'kill elect'] as const)
  const etcd = random.bag([
    'kill member',
    'kill raft leader',
    'freeze member',
    'freeze raft leader',
    'move raft leader',
    'move raft leader',
    'kill two members',
    'freeze two members',
  ] as const)
  const modes = random.bag<NetworkMode>(['black-hole', 'black-hole', 'reset', 'refuse', 'delay'])
  const width = random.bag([1, 1, 2, 3, 3])
  const server = random.bag(['kill server', 'kill server', 'freeze server'] as const)
  return [
    {
      restMs: [120, 900],
      draw: () => ({ lane: 'churn', what: churn(), pick: pick(), leader: random.next() < 0.7 }),
    },
    {
      restMs: [6_000, 18_000],
      draw: () => ({ lane: 'pods', what: pods(), pick: pick(), forMs: random.skewed(500, 9_000) }),
    },
    {
      restMs: [4_000, 14_000],
      draw: () => ({ lane: 'elect', what: elect(), pick: pick(), forMs: random.skewed(500, 6_000) }),
    },
    {
      restMs: [3_000, 9_000],
      draw: () => ({ lane: 'etcd', what: etcd(), pick: pick(), forMs: random.skewed(700, 11_000) }),
    },
    {
      restMs: [1_500, 9_000],
      draw: () => {
        const proxies = width()
        const forMs = random.skewed(300, 12_000)
        const compact = proxies === 3 && random.next() < 0.5
        return { lane: 'network', mode: modes(), proxies, pick: pick(), forMs, compact }
      },
    },
    { restMs: [9_000, 30_000], draw: () => ({ lane: 'server', what: server(), forMs: random.skewed(200, 9_000) }) },
    { restMs: [6_000, 20_000], draw: () => ({ lane: 'compaction', what: 'compact' }) },
  ]
}

function quietTimes(random: Random, durationMs: number): { fromMs: number; toMs: number }[] {
  const times: { fromMs: number; toMs: number }[] = []
  let atMs = random.whole(...QUIET.everyMs)
  while (atMs < durationMs) {
    const toMs = atMs + random.whole(...QUIET.forMs)
    times.push({ fromMs: atMs, toMs })
    atMs = toMs + random.whole(...QUIET.everyMs)
  }
  return times
}

/**
 * Steps in order of time. Lanes overlap each other and follow a rhythm of their own; in a quiet
 * stretch no fault begins, so that a fault's aftermath can be told from the next one.
 */
export function planOf(seed: number, durationMs: number): Planned[] {
  const random = seeded(seed)
  const quiet = quietTimes(random, durationMs)
  const steps: Planned[] = []
  for (const { restMs, draw } of lanesOf(random)) {
    let atMs = START_QUIET_MS + random.whole(0, restMs[1])
    while (atMs < durationMs - END_QUIET_MS) {
      const step = draw()
      const pause = step.lane === 'churn' ? undefined : quiet.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
      if (pause === undefined) {
        steps.push({ ...step, atMs })
        atMs += ('forMs' in step ? step.forMs : 0) + random.whole(...restMs)
      } else atMs = pause.toMs + random.whole(0, 2_000)
    }
  }
  return steps.sort((a, b) => a.atMs - b.atMs)
}
