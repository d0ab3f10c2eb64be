/** `GET /metrics`, beside the pages or on a port of its own: who may read it, and in which format. */
import type { Exposition } from '../metrics/metrics.ts'
import { formatFor } from '../metrics/negotiate.ts'
import type { Runtime } from '../runtime-slot.ts'
import { allow } from './allow.ts'
import { contextOf } from './context.ts'

type Scraped = Pick<Runtime, 'metrics' | 'metricsToken'>

export interface MetricsRefusal {
  status: number
  why: string
}

const UNAUTHORIZED_TOKEN = 'Send the token of metrics.tokenFile as "Authorization: Bearer …".'
const UNAUTHORIZED_PERSON =
  'Sign in, or send an API token as "Authorization: Bearer …"; metrics.tokenFile can name one for scraping alone.'

export const bearerOf = (authorization: string | null | undefined): string | null =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null

/** Whether the token of `metrics.tokenFile` was shown; null when it was. */
export function whyNotByToken(authorization: string | null | undefined, runtime: Scraped): MetricsRefusal | null {
  const given = bearerOf(authorization)
  const { metricsToken } = runtime
  if (metricsToken === null || given === null) return { status: 401, why: UNAUTHORIZED_TOKEN }
  if (metricsToken.matches(given)) return null
  return metricsToken.problem === null
    ? { status: 401, why: UNAUTHORIZED_TOKEN }
    : { status: 503, why: `${metricsToken.problem}: see metrics.tokenFile` }
}

/** Headers that an answer has whether or not it is given. */
export function refusalHeaders({ status }: MetricsRefusal): Record<string, string> {
  return {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="metrics"' } : {}),
  }
}

export const scrape = ({ metrics }: Scraped, accept: string | null | undefined): Promise<Exposition> =>
  metrics.render(formatFor(accept ?? null))

const refuse = (refusal: MetricsRefusal) =>
  new Response(`${refusal.why}\n`, { status: refusal.status, headers: refusalHeaders(refusal) })

async function maySeePages(request: Request, runtime: Runtime): Promise<boolean> {
  const context = await contextOf(request, runtime)
  try {
    allow(context, 'see')
    return true
  } catch {
    return false
  }
}

/** Among the pages: who may see those may scrape, and whoever shows the token for it. */
export async function answerMetrics(request: Request, runtime: Runtime): Promise<Response> {
  const { port } = runtime.config.metrics
  if (port !== undefined) {
    return refuse({ status: 404, why: `Metrics are served on a port of their own: see metrics.port.` })
  }
  const { headers } = request
  const byToken = runtime.metricsToken === null ? null : whyNotByToken(headers.get('authorization'), runtime)
  if ((runtime.metricsToken === null || byToken !== null) && !(await maySeePages(request, runtime))) {
    return refuse(byToken ?? { status: 401, why: UNAUTHORIZED_PERSON })
  }
  const { contentType, body } = await scrape(runtime, headers.get('accept'))
  return new Response(body, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } })
}
