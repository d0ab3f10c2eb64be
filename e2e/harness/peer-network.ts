/**
 * A network for the members of an etcd cluster, each in a namespace of its own: the links between members
 * can be cut while clients outside still reach every member. Linux, root and iproute2.
 */
import { execFileSync } from 'node:child_process'
import { isAlive } from './temp-folder.ts'

/** Where a member lives. */
export interface Place {
  namespace: string
  /** Reached from here. */
  clientHost: string
  /** Reached by the other members alone. */
  peerHost: string
}

export interface PeerNetwork {
  readonly places: readonly Place[]
  /** No packet between this member and the others any more; connections stay open and silent. */
  cut(member: number): void
  heal(member: number): void
  /** Takes the namespaces away; what runs in them must have ended. */
  remove(): void
}

const owned = /^tenure-(\d+)-\d+-(?:hub|m\d+)$/
const live = new Set<() => void>()
process.on('exit', () => {
  for (const remove of [...live]) remove()
})

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const namespaces = () =>
  ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')

/** A process that was killed could not tidy up: the names carry its pid, and the next one does. */
function removeLeftOvers(): void {
  for (const name of namespaces()) {
    const owner = owned.exec(name)?.[1]
    if (owner !== undefined && !isAlive(owner)) ip('netns', 'del', name)
  }
}

let reason: string | null | undefined

/** Why members cannot be parted here; null when they can. */
export function whyNoPartition(): string | null {
  reason ??= findReason()
  return reason
}

/** The name of a suite: it says why it is left out, where it is. */
export const withPartition = (name: string) =>
  whyNoPartition() === null ? name : `${name} (skipped: ${whyNoPartition()})`

function findReason(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  const trial = `tenure-${process.pid}-0-hub`
  try {
    ip('netns', 'add', trial)
    ip('netns', 'del', trial)
    return null
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return missing ? 'needs iproute2' : 'needs the right to make network namespaces'
  }
}

/** 198.18.0.0/15 is set aside for tests of networks; a third number that nothing here uses. */
function freeNumber(): number {
  const addresses = ip('-o', 'addr')
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const number = 1 + ((process.pid + attempt * 7) % 250)
    if (!addresses.includes(` 198.18.${number}.`)) return number
  }
  throw new Error('no free test network')
}

export function layPeerNetwork(members: number): PeerNetwork {
  removeLeftOvers()
  const number = freeNumber()
  const base = `tenure-${process.pid}-${number}`
  const hub = `${base}-hub`
  const places = Array.from({ length: members }, (_, at) => ({
    namespace: `${base}-m${at + 1}`,
    clientHost: `198.18.${number}.${at * 4 + 2}`,
    peerHost: `10.0.0.${at + 1}`,
  }))
  const remove = () => {
    live.delete(remove)
    const there = namespaces()
    for (const name of [hub, ...places.map(({ namespace }) => namespace)]) {
      if (there.includes(name)) ip('netns', 'del', name)
    }
  }
  live.add(remove)
  try {
    ip('netns', 'add', hub)
    ip('-n', hub, 'link', 'add', 'peers', 'type', 'bridge')
    ip('-n', hub, 'link', 'set', 'peers', 'up')
    for (const [at, place] of places.entries()) settle(place, { hub, number, at })
  } catch (error) {
    remove()
    throw error
  }
  const link = (member: number, state: 'up' | 'down') => ip('-n', hub, 'link', 'set', `port${member}`, state)
  return {
    places,
    cut: (member) => void link(member, 'down'),
    heal: (member) => void link(member, 'up'),
    remove,
  }
}

/** One pair of cables to the hub for its peers, one to us for its clients. */
function settle({ namespace, clientHost, peerHost }: Place, where: { hub: string; number: number; at: number }): void {
  const { hub, number, at } = where
  const outside = `tenure${number}-${at}`
  ip('netns', 'add', namespace)
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
  ip('-n', hub, 'link', 'add', `port${at}`, 'type', 'veth', 'peer', 'name', 'peers', 'netns', namespace)
  ip('-n', hub, 'link', 'set', `port${at}`, 'master', 'peers', 'up')
  ip('-n', namespace, 'addr', 'add', `${peerHost}/24`, 'dev', 'peers')
  ip('-n', namespace, 'link', 'set', 'peers', 'up')
  ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'clients', 'netns', namespace)
  ip('addr', 'add', `198.18.${number}.${at * 4 + 1}/30`, 'dev', outside)
  ip('link', 'set', outside, 'up')
  ip('-n', namespace, 'addr', 'add', `${clientHost}/30`, 'dev', 'clients')
  ip('-n', namespace, 'link', 'set', 'clients', 'up')
}
