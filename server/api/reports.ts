/** `POST /api/reports`: what candidates say of themselves. Takes no browser and no cookie, only a token. */
import type { ZodError } from 'zod'
import { refOf } from '../../lib/election/ids.ts'
import { type CandidateReport, reportBatch } from '../../lib/election/reports.ts'
import { latin1FromBase64 } from '../../lib/shared/bytes.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import type { Received } from '../watch/claim-book.ts'
import type { ClusterWatcher } from '../watch/cluster-watcher.ts'
import type { Troubles } from '../watch/troubles.ts'
import { readBody } from './request-body.ts'
import type { TokenFile } from './token-file.ts'

export const MOST_BYTES = 1_048_576
const WITHIN_MS = 10_000
/** Bodies that are read at the same time: together they take 32 MiB at the most. */
const MOST_AT_ONCE = 32
const MOST_PROBLEMS = 20

export interface Problem {
  /** Where in the body, such as `reports.0.lease`. */
  field: string
  message: string
}

interface ReportsOptions {
  watchers: ReadonlyMap<string, Pick<ClusterWatcher, 'reported'>>
  /** null: reports are not configured. */
  token: TokenFile | null
  clock: Clock
  troubles: Troubles
}

interface Refusal {
  status: number
  error: string
  problems?: readonly Problem[]
  headers?: Record<string, string>
}

const BODY_REFUSED = {
  'too-large': { status: 413, error: `the body is larger than ${MOST_BYTES} bytes: post fewer reports at once` },
  'too-slow': { status: 408, error: `the body did not come within ${WITHIN_MS / 1_000} s` },
  'not-text': { status: 400, error: 'the body is not UTF-8' },
} as const

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } })

export class Reports {
  private readonly options: ReportsOptions
  private reading = 0

  constructor(options: ReportsOptions) {
    this.options = options
  }

  async answer(request: Request): Promise<Response> {
    const { clock } = this.options
    // Taken before the body: what a slow body says is as old as its beginning.
    const received = { at: instant(clock.nowMs()), monoMs: clock.monoMs() }
    const refused = this.refusal(request)
    if (refused !== null) return refuse(refused)
    if (this.reading >= MOST_AT_ONCE) return refuse(BUSY)
    this.reading += 1
    try {
      const body = await readBody(request, { mostBytes: MOST_BYTES, withinMs: WITHIN_MS })
      return 'refused' in body ? refuse(BODY_REFUSED[body.refused]) : this.take(body.text, received)
    } finally {
      this.reading -= 1
    }
  }

  private refusal(request: Request): Refusal | null {
    const { token, troubles } = this.options
    if (token === null) return NOT_CONFIGURED
    if (isFromElsewhere(request)) return { status: 403, error: 'reports are not taken from pages of other sites' }
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (given === undefined) return UNAUTHORIZED
    if (!token.matches(given)) {
      troubles.note('reports', token.problem ?? 'refused: the token is not the one in the file')
      return token.problem === null ? UNAUTHORIZED : { status: 503, error: `${token.problem}: see reports.tokenFile` }
    }
    const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
    return type === 'application/json' ? null : { status: 415, error: 'send Content-Type: application/json' }
  }

  private take(text: string, received: Received): Response {
    const json = parsed(text)
    if (json === undefined) return refuse({ status: 400, error: 'the body is not JSON' })
    const batch = reportBatch.safeParse(json)
    if (!batch.success) return refuse(invalid(problemsOf(batch.error)))
    const { reports } = batch.data
    const problems = reports.flatMap((report, at) => this.misfits(report, at))
    if (problems.length > 0) return refuse(invalid(problems))
    const unknown = [...Map.groupBy(reports, ({ cluster }) => cluster)].flatMap(
      ([cluster, own]) => this.options.watchers.get(cluster)?.reported.hear(own, received) ?? [],
    )
    return answer(200, {
      taken: reports.length,
      unknown: [...new Set(unknown.map(nameOf))].map((name) => JSON.parse(name)),
    })
  }

  private misfits(report: CandidateReport, at: number): Problem[] {
    const problems: Problem[] = []
    if (!this.options.watchers.has(report.cluster)) {
      const names = [...this.options.watchers.keys()].join(', ')
      const message = `no cluster "${report.cluster}" is configured: there is ${names}`
      problems.push({ field: `reports.${at}.cluster`, message })
    }
    if (report.layout === 'queue' && !latin1FromBase64(report.prefixBase64).endsWith('/')) {
      problems.push({ field: `reports.${at}.prefixBase64`, message: "a queue's prefix ends with /" })
    }
    return problems
  }
}

const NOT_CONFIGURED: Refusal = {
  status: 404,
  error: 'this Tenure takes no reports: set reports.tokenFile (TENURE_REPORTS_TOKEN_FILE) to a file with a token',
}
const UNAUTHORIZED: Refusal = {
  status: 401,
  error: 'send the token of reports.tokenFile as "Authorization: Bearer …"',
  headers: { 'WWW-Authenticate': 'Bearer' },
}
const BUSY: Refusal = {
  status: 503,
  error: 'too many reports are being read: post again in a moment',
  headers: { 'Retry-After': '1' },
}

const invalid = (problems: readonly Problem[]): Refusal => ({
  status: 422,
  error: problems.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; '),
  problems,
})

const refuse = ({ status, error, problems, headers }: Refusal) =>
  answer(status, { error, ...(problems ? { problems } : {}) }, headers)

/** Programs send no Origin; a page of this very server would be of no harm, any other one is refused. */
function isFromElsewhere({ headers }: Request): boolean {
  const origin = headers.get('origin')
  if (origin === null) return false
  return !URL.canParse(origin) || new URL(origin).host !== headers.get('host')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problemsOf({ issues }: ZodError): Problem[] {
  return issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => ({ field: path.join('.'), message }))
}

const nameOf = ({ cluster, layout, prefixBase64 }: CandidateReport) =>
  JSON.stringify({ cluster, ref: refOf(layout, latin1FromBase64(prefixBase64)) })
