/** Posts what a candidate would report of itself: for tests of the receiving end. */
import { leaseHex } from './raw-etcd.ts'

export interface Speaker {
  cluster?: string
  layout?: 'queue' | 'single-key'
  /** A queue's without its last slash, as candidates are given it. */
  prefix: string | Buffer
  identity: string
  /** By default its identity: one process of that name. */
  instance?: string
  /** Decimal, as etcd's API gives it. */
  lease?: string | null
}

export interface Words {
  state?: 'waiting' | 'leading' | 'suspect' | 'draining' | 'stopped' | 'lost'
  /** Create revision of the key of the term it claims; without it, it claims none. */
  token?: string
  epoch?: number
  claimLeftMs?: number
  lastWorkAgeMs?: number | null
  rejections?: number
  missed?: number
  renewals?: readonly { ageMs: number; rttMs: number }[]
}

/** One report as it goes over the wire. */
export function reportOf(speaker: Speaker, words: Words = {}): object {
  const { cluster = 'test', layout = 'queue', prefix, identity, instance = identity, lease = null } = speaker
  const { token, epoch = 0, claimLeftMs = 5_000, state = token === undefined ? 'waiting' : 'leading', ...rest } = words
  const whole = Buffer.concat([Buffer.from(prefix as string), Buffer.from(layout === 'queue' ? '/' : '')])
  return {
    cluster,
    layout,
    prefixBase64: whole.toString('base64'),
    instance,
    identity,
    lease: lease === null ? null : leaseHex(lease).padStart(16, '0'),
    state,
    token: token === undefined ? null : { epoch, revision: token },
    claimLeftMs: token === undefined ? null : claimLeftMs,
    lastWorkAgeMs: null,
    rejections: 0,
    missed: 0,
    renewals: [],
    ...rest,
  }
}

export const batchOf = (...reports: object[]): string => JSON.stringify({ v: 1, reports })

export interface Post {
  url: string
  token: string
  body: string
  headers?: Record<string, string>
}

/** The answer's status and JSON. */
export async function postReports({ url, token, body, headers }: Post): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/api/reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** Says the same again and again, as a candidate does, until `stop`. A report that is refused is an error. */
export function keepReporting(
  post: Omit<Post, 'body'> & { everyMs?: number },
  say: () => readonly object[],
): { now(): Promise<void>; stop(): Promise<void> } {
  let problem: Error | null = null
  let last: Promise<void> = Promise.resolve()
  const now = async () => {
    const { status, body } = await postReports({ ...post, body: batchOf(...say()) })
    if (status !== 200) problem = new Error(`a report was answered ${status}: ${JSON.stringify(body)}`)
  }
  const timer = setInterval(() => {
    last = last.then(now).catch(() => {})
  }, post.everyMs ?? 500)
  return {
    now,
    stop: async () => {
      clearInterval(timer)
      await last
      if (problem !== null) throw problem
    },
  }
}
