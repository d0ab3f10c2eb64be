/** What the API says, with its own time. */
import type { APIRequestContext, Page } from '@playwright/test'

export interface CandidateTruth {
  identity: string
  key: string
  keyBase64: string
  lease: string | null
  createRevision: string
  modRevision: string
  ttl: { grantedMs: number; remainingMs: number; asOf: string } | null
}

export interface ElectionTruth {
  ref: string
  name: string
  prefix: string
  prefixBase64: string
  layout: string
  kind: string
  status: string
  leader: CandidateTruth | null
  nextUp: CandidateTruth | null
  candidateCount: number
  term: { ordinal: number; token: string; since: string } | null
  notes: readonly { type: string }[]
}

export interface ListTruth {
  serverTime: string
  clusters: readonly { name: string; clusterId: string; revision: string }[]
  elections: readonly ElectionTruth[]
}

export async function askApi<T>(request: APIRequestContext, procedure: string, input: unknown): Promise<T> {
  const answer = await request.get(`/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`)
  if (!answer.ok()) throw new Error(`${procedure} answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json()).result.data
}

export function listTruth(page: Page): Promise<ListTruth> {
  return askApi<ListTruth>(page.request, 'elections.list', { cluster: 'test' })
}

/** Where an election stands by its prefix, which ends with a slash for a queue. */
export async function truthOf(page: Page, prefix: string | Buffer): Promise<ElectionTruth | undefined> {
  const wanted = Buffer.from(prefix as string).toString('base64')
  return (await listTruth(page)).elections.find(({ prefixBase64 }) => prefixBase64 === wanted)
}
