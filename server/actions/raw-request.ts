/** What is kept of a request that was refused, as it was sent: enough to know it by, and never enough to fill the log. */
import type { Verb } from '../../lib/election/policy.ts'
import type { Json } from '../history/audit.ts'
import type { Request } from './undertaking.ts'

const LONGEST_CLUSTER = 100
const LONGEST_REF = 1_000
const LONGEST_ASKED = 2_000
const LONGEST_REPEATED = 200

/** A value that a message repeats. */
export function repeated(text: string): string {
  return cutText(text, LONGEST_REPEATED)
}

/** `sent` was not read yet, and may be anything. */
export function rawRequest(verb: Verb, sent: unknown): Request {
  const { cluster, ref, operation } = (typeof sent === 'object' && sent !== null ? sent : {}) as Record<string, unknown>
  const text = (value: unknown, longest: number) => (typeof value === 'string' ? cutText(value, longest) : '')
  const subject = {
    cluster: text(cluster, LONGEST_CLUSTER),
    ...(typeof ref === 'string' ? { ref: text(ref, LONGEST_REF) } : {}),
  }
  const isId = typeof operation === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(operation)
  return { verb, operation: isId ? operation : '', subject, reason: '', asked: cutAsked(sent) }
}

/** Whole while it is short. */
export function cutAsked(asked: unknown): Json {
  // A one-time token is nobody's business afterwards.
  const text = JSON.stringify(asked, (name, value) => (name === 'token' ? undefined : value)) ?? 'null'
  return text.length > LONGEST_ASKED ? cutText(text, LONGEST_ASKED) : (JSON.parse(text) as Json)
}

function cutText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
