/** Which election, if any, a key takes part in: by its structure, by a configured pattern, or by a guess that says so. */
import { escapeLatin1, latin1 } from '../shared/bytes.ts'
import { leaseSegment, leaseToDecimal } from './ids.ts'
import type { Layout, LeaseId } from './types.ts'

export interface LayoutPattern {
  /** Literal text in which `*` stands for one path segment. A queue's pattern names its prefix and ends with `/`. */
  pattern: string
  layout: Layout
}

export interface Recognised {
  layout: Layout
  /** latin1 */
  prefix: string
  confirmed: boolean
  foundBy: string
}

/** Layouts of products whose source fixes them; `etcd-facts` names the files. */
export const PRODUCT_PATTERNS: readonly (LayoutPattern & { product: string })[] = [
  { pattern: '/service/*/leader', layout: 'single-key', product: 'Patroni' },
  { pattern: '/service/*/*/leader', layout: 'single-key', product: 'Patroni with Citus' },
  { pattern: '/pd/*/leader', layout: 'single-key', product: 'PD' },
  { pattern: '/ms/*/*/primary', layout: 'single-key', product: 'PD microservices' },
  { pattern: '/calico/openstack/v1/neutron_election', layout: 'single-key', product: 'networking-calico' },
  { pattern: '/calico/v2/*/neutron_election', layout: 'single-key', product: 'networking-calico' },
]

export const KUBERNETES = '/registry/'
const LEADER_NAMES = /^(leader|primary|owner|master)$|lock|election/
const IDENTITY_CHARACTERS = 200

/** The bytes up to and including the last `/`. */
export function directoryOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1)
}

/** Most keys differ from a pattern before its first `*`: this spares them the splitting. */
function startsLike(pattern: string, text: string): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === '*') return true
    if (pattern[at] !== text[at]) return false
  }
  return true
}

/** Whether a pattern, in which `*` stands for one path segment, fits the whole text. */
export function matches(pattern: string, text: string): boolean {
  if (!startsLike(pattern, text)) return false
  const expected = pattern.split('/')
  const actual = text.split('/')
  return (
    expected.length === actual.length &&
    expected.every((segment, at) => (segment === '*' ? actual[at] !== '' : segment === actual[at]))
  )
}

const bare = (text: string) => text.replace(/\/$/, '')

/** The same for what people write of elections: a last `/` makes no difference. */
export function matchesElection(pattern: string, prefix: string): boolean {
  return matches(bare(pattern), bare(prefix))
}

function byPattern(key: string, patterns: readonly LayoutPattern[]): Recognised | null {
  const directory = directoryOf(key)
  for (const { pattern, layout } of patterns) {
    const prefix = layout === 'queue' ? directory : key
    if (matches(pattern, prefix)) return { layout, prefix, confirmed: true, foundBy: `configured pattern ${pattern}` }
  }
  for (const { pattern, layout, product } of PRODUCT_PATTERNS) {
    if (matches(pattern, key)) return { layout, prefix: key, confirmed: true, foundBy: `${product}'s key ${pattern}` }
  }
  return null
}

function byStructure(key: string, lease: LeaseId): Recognised | null {
  const directory = directoryOf(key)
  const segment = key.slice(directory.length)
  if (directory !== '' && segment === leaseSegment(lease)) {
    return { layout: 'queue', prefix: directory, confirmed: true, foundBy: 'keys named by their own lease id in hex' }
  }
  if (directory !== '' && segment === leaseToDecimal(lease)) {
    const known = /(^|\/)election\/[^/]+\/$/.test(directory)
    const foundBy = known
      ? "npm etcd3's election/<name>/<lease id>"
      : 'keys named by their own lease id in decimal: an election or a service registry'
    return { layout: 'queue', prefix: directory, confirmed: known, foundBy }
  }
  if (LEADER_NAMES.test(segment)) {
    return { layout: 'single-key', prefix: key, confirmed: false, foundBy: `a leased key named ${segment}` }
  }
  return null
}

/**
 * `key` is latin1. A key without a lease is recognised by a pattern only: it may join a queue that
 * other keys have shown to be one, but it never founds one.
 */
export function recognise(key: string, lease: LeaseId | null, patterns: readonly LayoutPattern[]): Recognised | null {
  const found = byPattern(key, patterns) ?? (lease === null ? null : byStructure(key, lease))
  if (found === null || !key.startsWith(KUBERNETES)) return found
  return { ...found, confirmed: false, foundBy: 'a key of Kubernetes: read-only' }
}

/** What a candidate calls itself: its value as text, cut at 200 characters. */
export function identityOf(value: Uint8Array): string {
  const text = escapeLatin1(latin1(value.subarray(0, IDENTITY_CHARACTERS)))
  return value.length > IDENTITY_CHARACTERS || text.length > IDENTITY_CHARACTERS
    ? `${text.slice(0, IDENTITY_CHARACTERS - 1)}…`
    : text
}
