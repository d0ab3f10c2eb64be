/** Metrics pages over HTTP, with the cluster's own certificates where they are https. */
import { readFileSync } from 'node:fs'
import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import type { MetricsPort } from './lease-metrics.ts'

const DEADLINE_MS = 2_000
/** etcd's page has some 150 kB. */
const MOST_BYTES = 8_000_000

/** Paths of files; read anew each time, as they may be replaced. */
export interface MetricsTls {
  ca: string
  cert?: string | undefined
  key?: string | undefined
}

export function metricsPages(tls: MetricsTls | undefined): MetricsPort {
  return { page: (url, signal) => page(url, tls, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)])) }
}

function secretsOf({ ca, cert, key }: MetricsTls) {
  return {
    ca: readFileSync(ca),
    ...(cert ? { cert: readFileSync(cert) } : {}),
    ...(key ? { key: readFileSync(key) } : {}),
  }
}

function page(url: string, tls: MetricsTls | undefined, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const secure = url.startsWith('https:')
    const options = { signal, ...(secure && tls ? secretsOf(tls) : {}) }
    const request = (secure ? getSecure : getPlain)(url, options, (response) => {
      if (response.statusCode !== 200) {
        response.resume()
        reject(new Error(`answered with status ${response.statusCode}`))
        return
      }
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > MOST_BYTES) response.destroy(new Error('the page is too large for etcd’s metrics'))
        chunks.push(chunk)
      })
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}
