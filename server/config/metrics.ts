/** Who may scrape, and where. */
import { z } from 'zod'
import { isLoopbackAddress } from './loopback.ts'

const MOST_ELECTIONS = 100_000
const elections = `maxElections is a whole number from 1 to ${MOST_ELECTIONS}`

const fields = z.strictObject({
  tokenFile: z.string().min(1, 'a file path must not be empty').optional(),
  port: z.number().int().min(0).max(65_535, 'a port is a number from 0 to 65535').optional(),
  host: z.string().min(1).optional(),
  maxElections: z.int({ error: elections }).min(1, elections).max(MOST_ELECTIONS, elections).default(2_000),
})

export const metricsSchema = fields
  .superRefine(({ host, port, tokenFile }, context) => {
    if (host !== undefined && port === undefined) {
      const message = 'metrics.host is the address of metrics.port: set metrics.port as well, or neither'
      context.addIssue({ code: 'custom', path: ['host'], message })
    }
    if (host !== undefined && port !== undefined && tokenFile === undefined && !isLoopbackAddress(host)) {
      const message = `metrics.host ${host} lets others read /metrics, and nothing asks who they are: set metrics.tokenFile, or metrics.host to 127.0.0.1`
      context.addIssue({ code: 'custom', path: ['host'], message })
    }
  })
  .default({ maxElections: 2_000 })

export const METRICS_HOST = '127.0.0.1'
