/** What `tenure.yaml` may say. Messages name what is wrong and what would be right. */
import { z } from 'zod'
import { unescapeBytes } from '../../lib/shared/bytes.ts'
import { channelsSchema } from './alert-channels.ts'
import { electionRuleSettings, ruleSettings } from './alert-rules.ts'
import { isLoopbackAddress } from './loopback.ts'
import { metricsSchema } from './metrics.ts'

export { isLoopbackAddress } from './loopback.ts'

const endpoint = z.string().refine(
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    return url !== null && /^https?:$/.test(url.protocol) && url.port !== '' && url.pathname === '/'
  },
  { error: (issue) => `"${String(issue.input)}" is not an etcd endpoint: write http://host:port or https://host:port` },
)

const metricsPage = z.url({
  protocol: /^https?$/,
  error: (issue) =>
    `"${String(issue.input)}" is not the address of a metrics page: write http://host:port/metrics or https://host:port/metrics`,
})

const prefix = z.string().refine(
  (text) => {
    try {
      unescapeBytes(text)
      return true
    } catch {
      return false
    }
  },
  { error: (issue) => `"${String(issue.input)}" has a bad escape: write \\xNN for a byte and \\\\ for a backslash` },
)

const layout = z.strictObject({
  pattern: z.string().min(1, 'a pattern must not be empty: write for example /service/*/leader'),
  layout: z.enum(['queue', 'single-key'], { error: 'layout must be queue or single-key' }),
})

const file = z.string().min(1, 'a file path must not be empty')

const clusterFields = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a cluster name is 1 to 40 of a–z, 0–9 and -, such as prod-eu'),
  endpoints: z.array(endpoint).min(1, 'a cluster needs at least one endpoint, such as http://127.0.0.1:2379'),
  tls: z.strictObject({ ca: file, cert: file.optional(), key: file.optional() }).optional(),
  user: z.strictObject({ name: z.string().min(1), passwordFile: file }).optional(),
  metrics: z.array(metricsPage).default([]),
  watch: z.array(prefix).min(1, 'watch needs at least one prefix, such as /elections/ ("" is the whole key space)'),
  layouts: z.array(layout).default([]),
  readOnly: z.boolean().default(false),
})

export const clusterSchema = clusterFields.superRefine((cluster, context) => {
  const schemes = new Set(cluster.endpoints.map((url) => url.split(':')[0]))
  if (schemes.size > 1) {
    context.addIssue({ code: 'custom', path: ['endpoints'], message: 'endpoints mix http and https: use one of them' })
  }
  if ((cluster.tls?.cert === undefined) !== (cluster.tls?.key === undefined)) {
    context.addIssue({
      code: 'custom',
      path: ['tls'],
      message: 'tls.cert and tls.key belong together: give both or none',
    })
  }
  if (cluster.tls !== undefined && schemes.has('http')) {
    context.addIssue({
      code: 'custom',
      path: ['endpoints'],
      message: 'tls is set but an endpoint is http: write https',
    })
  }
  for (const [at, { pattern, layout: kind }] of cluster.layouts.entries()) {
    if ((kind === 'queue') !== pattern.endsWith('/')) {
      const message =
        kind === 'queue'
          ? `a queue's pattern names its prefix and ends with "/": write "${pattern}/"`
          : `a single-key pattern names the key and does not end with "/": write "${pattern.replace(/\/+$/, '')}"`
      context.addIssue({ code: 'custom', path: ['layouts', at, 'pattern'], message })
    }
  }
})

const role = z.enum(['viewer', 'operator', 'admin'], { error: 'a role is viewer, operator or admin' })

const oidc = z.strictObject({
  issuer: z.url({ protocol: /^https?$/, error: 'oidc.issuer must be a URL such as https://login.example.org' }),
  clientId: z.string().min(1),
  clientSecretFile: file,
  name: z.string().min(1).max(40).default('OpenID Connect'),
  roleClaim: z.string().min(1).default('groups'),
  roles: z
    .record(z.string(), role)
    .refine((roles) => Object.keys(roles).length > 0, 'oidc.roles must map at least one value of the claim to a role'),
})

const percent = (what: string) => {
  const error = `${what} is a percentage above 0 and at most 100, such as 99.9`
  return z.number({ error }).gt(0, { error }).max(100, { error })
}

const withinMs = z
  .int({ error: 'objectives.failover.withinMs is whole milliseconds, such as 12000 for 12 s' })
  .min(100, 'objectives.failover.withinMs is at least 100: milliseconds, such as 12000 for 12 s')

const failoverObjective = z.strictObject({
  percent: percent('objectives.failover.percent').default(95),
  withinMs: withinMs.default(12_000),
})

const objectives = z.strictObject({
  led: percent('objectives.led').default(99.9),
  failover: failoverObjective.default({ percent: 95, withinMs: 12_000 }),
  elections: z
    .array(
      z.strictObject({
        pattern: z.string().min(1, 'a pattern must not be empty: write for example /elections/billing/*'),
        led: percent('objectives.elections[].led'),
      }),
    )
    .default([]),
})

const alerts = z.strictObject({
  rules: ruleSettings.default({}),
  elections: z.array(electionRuleSettings).default([]),
  channels: channelsSchema.default([]),
})

const port = z.number().int().min(0).max(65_535, 'a port is a number from 0 to 65535')

const settings = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(3000),
  publicUrl: z
    .url({ protocol: /^https?$/, error: 'publicUrl must be a URL such as https://tenure.example.org' })
    .optional(),
  trustedProxies: z
    .array(z.union([z.ipv4(), z.ipv6()], { error: 'trustedProxies lists IP addresses, such as 10.0.0.7' }))
    .default([]),
  data: z.string().min(1).default('./data'),
  auth: z.enum(['required', 'loopback-open'], { error: 'auth must be required or loopback-open' }).default('required'),
  anonymousViewing: z.boolean().default(false),
  authSecretFile: file.optional(),
  oidc: oidc.optional(),
  readOnly: z.boolean().default(false),
  metaPrefix: prefix
    .refine((text) => text.endsWith('/'), { error: 'metaPrefix must end with "/", such as /tenure/' })
    .default('/tenure/'),
  probe: z.boolean().default(true),
  release: z.strictObject({ secondPerson: z.boolean().default(false) }).default({ secondPerson: false }),
  reports: z.strictObject({ tokenFile: file }).optional(),
  metrics: metricsSchema,
  objectives: objectives.default({ led: 99.9, failover: { percent: 95, withinMs: 12_000 }, elections: [] }),
  alerts: alerts.default({ rules: {}, elections: [], channels: [] }),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  clusters: z
    .array(clusterSchema)
    .min(1, 'no cluster to watch: set TENURE_ETCD_ENDPOINTS and TENURE_WATCH, or list clusters in tenure.yaml')
    .superRefine((clusters, context) => {
      const names = clusters.map(({ name }) => name)
      for (const [at, name] of names.entries()) {
        if (names.indexOf(name) < at) {
          context.addIssue({
            code: 'custom',
            path: [at, 'name'],
            message: `two clusters are named "${name}": names must differ`,
          })
        }
      }
    }),
})

/** What of the sign-in settings would let somebody in who must not be, or nobody at all. */
export const configSchema = settings.superRefine((config, context) => {
  if (config.auth === 'loopback-open' && !isLoopbackAddress(config.host)) {
    const message = `auth: loopback-open makes everybody an admin, and host ${config.host} lets others in: set host to 127.0.0.1, or auth to required`
    context.addIssue({ code: 'custom', path: ['auth'], message })
  }
  if (config.metrics.port !== undefined && config.metrics.port !== 0 && config.metrics.port === config.port) {
    const message = `metrics.port ${config.port} is the port of the pages: leave it out, and /metrics is served there, or take another`
    context.addIssue({ code: 'custom', path: ['metrics', 'port'], message })
  }
  if (config.oidc !== undefined && config.publicUrl === undefined) {
    const message = 'publicUrl is missing: the provider sends people back to it, so oidc needs it'
    context.addIssue({ code: 'custom', path: ['oidc'], message })
  }
})

export type Config = Readonly<z.infer<typeof configSchema>>
export type ClusterConfig = Config['clusters'][number]
