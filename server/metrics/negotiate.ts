import type { Format } from './metrics.ts'

interface Offer {
  type: string
  version: string | undefined
  quality: number
}

function offerOf(part: string): Offer {
  const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
  const of = (name: string) => parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1)
  const quality = Number(of('q') ?? 1)
  return { type, version: of('version'), quality: Number.isFinite(quality) ? quality : 0 }
}

/** What an Accept header asks for: OpenMetrics 1.0.0 where it is liked best, otherwise Prometheus's own text. */
export function formatFor(accept: string | null): Format {
  const offers = (accept ?? '').split(',').map(offerOf)
  const best = (is: (offer: Offer) => boolean) => Math.max(0, ...offers.filter(is).map(({ quality }) => quality))
  const openMetrics = best(
    ({ type, version }) => type === 'application/openmetrics-text' && (version === undefined || version === '1.0.0'),
  )
  return openMetrics > 0 && openMetrics >= best(({ type }) => type === 'text/plain') ? 'openmetrics' : 'text'
}
