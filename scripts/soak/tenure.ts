/** What Tenure remembers, asked of its API as any caller from outside would. */
import type { Seat, Span, Told, ToldEvent, ToldTerm } from './model.ts'

const PAGE = 40

interface TermAnswer {
  ordinal: number
  epoch: number
  token: string
  leader: { keyBase64: string }
  from: string
  to: string | null
  endedBy: { cause: string; evidence: string } | null
}

interface GapAnswer {
  from: string
  to: string
  reason: string
}

interface EventAnswer {
  type: string
  revision: string
  at: string
  keyBase64?: string
  identity?: string
  term?: { token: string }
}

export interface Listed {
  freshness: string
  revision: number
  elections: { ref: string; seat: Seat }[]
}

const text = (base64: string) => Buffer.from(base64, 'base64').toString('latin1')

async function ask<T>(url: string, path: string, input: object): Promise<T> {
  const address = `${url}/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
  const response = await fetch(address, { signal: AbortSignal.timeout(20_000) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { result: { data: T } }).result.data
}

export async function listElections(url: string): Promise<Listed> {
  const { clusters, elections } = await ask<{
    clusters: { freshness: string; revision: string }[]
    elections: { ref: string; layout: Seat['layout']; prefixBase64: string }[]
  }>(url, 'elections.list', {})
  return {
    freshness: clusters[0]?.freshness ?? 'unreachable',
    revision: Number(clusters[0]?.revision ?? 0),
    elections: elections.map(({ ref, layout, prefixBase64 }) => ({
      ref,
      seat: { layout, prefix: text(prefixBase64) },
    })),
  }
}

/** All pages, oldest first. */
async function all<T>(url: string, path: string, ref: string, take: (page: T) => void): Promise<void> {
  let cursor: string | undefined
  do {
    const page = await ask<T & { nextCursor?: string }>(url, path, { cluster: 'test', ref, limit: PAGE, cursor })
    take(page)
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

const termOf = ({ ordinal, epoch, token, leader, from, to, endedBy }: TermAnswer): ToldTerm => ({
  ordinal,
  epoch,
  token: Number(token),
  key: text(leader.keyBase64),
  fromMs: Date.parse(from),
  toMs: to === null ? null : Date.parse(to),
  cause: endedBy?.cause ?? null,
  evidence: endedBy?.evidence ?? null,
})

const eventOf = ({ type, revision, at, keyBase64, identity, term }: EventAnswer): ToldEvent => ({
  type,
  revision: Number(revision),
  atMs: Date.parse(at),
  key: keyBase64 === undefined ? null : text(keyBase64),
  ...(identity === undefined ? {} : { identity }),
  token: term === undefined ? null : Number(term.token),
})

export async function readHistory(url: string): Promise<Told[]> {
  const { elections } = await listElections(url)
  const told: Told[] = []
  for (const { ref, seat } of elections) {
    const terms: ToldTerm[] = []
    const events: ToldEvent[] = []
    const gaps: Span[] = []
    await all<{ terms: TermAnswer[]; gaps: GapAnswer[] }>(url, 'elections.terms', ref, (page) => {
      terms.push(...page.terms.map(termOf))
      for (const { from, to, reason } of page.gaps) {
        gaps.push({ fromMs: Date.parse(from), toMs: Date.parse(to), reason })
      }
    })
    await all<{ events: EventAnswer[] }>(url, 'elections.events', ref, (page) => {
      events.push(...page.events.map(eventOf))
    })
    told.push({ seat, terms: terms.reverse(), events: events.reverse(), gaps: gaps.reverse() })
  }
  return told
}
