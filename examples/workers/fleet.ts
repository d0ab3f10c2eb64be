import type { Seat } from './seat.ts'

/** One process of the sample fleet. */
export interface WorkerHost {
  host: string
  seats: Seat[]
}

/** A candidate held by the real `etcdctl elect`. */
export interface ForeignCandidate {
  election: string
  value: string
}

export const watchedPrefixes = ['/elections/', '/service/', '/foreign/']

const queue = (name: string, prefix: string, more: Partial<Seat> = {}): Seat => ({
  kind: 'queue',
  name,
  prefix,
  ttlSeconds: 10,
  ...more,
})

const base64 = (bytes: number[], text: string) => Buffer.from([...bytes, ...Buffer.from(text)]).toString('base64')
const binaryPrefix = Buffer.concat([Buffer.from('/elections/legacy/'), Buffer.from([0xff, 0x01]), Buffer.from('blob')])

/** Everything that one machine, worker-a, worker-b or worker-c, runs. */
function generalHost(letter: 'a' | 'b' | 'c'): WorkerHost {
  const value = `worker-${letter}`
  const seats = [
    queue(`compactor-${letter}`, '/elections/warehouse/compactor', {
      value,
      handOverAfterMs: 20_000,
      proclaimAfterMs: 400,
      ttlSeconds: 30,
    }),
  ]
  return { host: value, seats }
}

/** Leads until the demo tells it to leave; nobody follows. */
export const departingSeat = { host: 'worker-a', name: 'score-publisher-a' }

function withSpecialties(hosts: WorkerHost[]): WorkerHost[] {
  const special: Record<string, Seat[]> = {
    'worker-a': [
      queue('email-fanout-a', '/elections/notify/email-fanout', { value: 'worker-a' }),
      queue(departingSeat.name, '/elections/fraud/score-publisher', { value: 'worker-a' }),
      queue('media-a', '/elections/media', { value: 'worker-a' }),
      queue('blob-a', binaryPrefix.toString('base64'), { binary: true, value: base64([0x00, 0xfe], 'worker-a') }),
      { kind: 'single-key', name: 'pg-1', prefix: '/service/orders-db', ttlSeconds: 30 },
      {
        kind: 'registry',
        name: 'rpc-1',
        prefix: '/elections/registry/orders.rpc',
        value: '10.0.4.11:8080',
        ttlSeconds: 10,
      },
    ],
    'worker-b': [
      queue('media-b', '/elections/media', { value: 'worker-b' }),
      queue('blob-b', binaryPrefix.toString('base64'), { binary: true, value: base64([0x00, 0xfe], 'worker-b') }),
      { kind: 'single-key', name: 'pg-2', prefix: '/service/orders-db', ttlSeconds: 30 },
      {
        kind: 'registry',
        name: 'rpc-2',
        prefix: '/elections/registry/orders.rpc',
        value: '10.0.4.12:8080',
        ttlSeconds: 10,
      },
    ],
    // The order of keys under a prefix is by age, whoever wrote them: a nested key that is older than
    // those of the outer election would block it. So the nested ones wait for both outer candidates.
    'worker-c': ['transcode-1', 'transcode-2'].map((name) =>
      queue(name, '/elections/media/transcode', { after: { prefix: '/elections/media', candidates: 2 } }),
    ),
  }
  return hosts.map(({ host, seats }) => ({ host, seats: [...seats, ...(special[host] ?? [])] }))
}

export const fleet: WorkerHost[] = withSpecialties([generalHost('a'), generalHost('b'), generalHost('c')])

export const foreignCandidates: ForeignCandidate[] = [
  { election: '/foreign/backup-driver', value: 'node-1' },
  { election: '/foreign/backup-driver', value: 'node-2' },
  { election: '/foreign/dns-publisher', value: 'node-3' },
]
