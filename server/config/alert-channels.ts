/** Where alerts are told. Secrets come from files alone. */
import { z } from 'zod'

const SEVERITIES = ['critical', 'warning'] as const

/** Not shown where it is refused, as other addresses are. */
function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

const file = z.string().min(1, 'a file path must not be empty')
const url = z
  .url({
    protocol: /^https?$/,
    error: (issue) =>
      `"${String(issue.input)}" is not an address to send to: write http://host/path or https://host/path`,
  })
  .refine((text) => !hasCredentials(text), 'an address must not hold a user or a password: secrets come from files')
const common = {
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'a channel name is 1 to 40 of a–z, 0–9 and -, such as oncall'),
  severities: z
    .array(z.enum(SEVERITIES, { error: 'a severity is critical or warning' }))
    .min(1, 'severities must name at least one of critical and warning')
    .default([...SEVERITIES]),
}

const pair = {
  path: ['user'],
  error: 'user and passwordFile belong together: give both or none',
}
const isPair = ({ user, passwordFile }: { user?: string; passwordFile?: string }) =>
  (user === undefined) === (passwordFile === undefined)

const alertmanager = z
  .strictObject({
    ...common,
    type: z.literal('alertmanager'),
    urls: z.array(url).min(1, 'urls needs the address of at least one Alertmanager, such as http://127.0.0.1:9093'),
    user: z.string().min(1).optional(),
    passwordFile: file.optional(),
    tokenFile: file.optional(),
    everyMs: z.int().min(1_000, 'everyMs is at least 1000: milliseconds').default(60_000),
  })
  .refine(isPair, pair)
  .refine(({ user, tokenFile }) => user === undefined || tokenFile === undefined, {
    path: ['tokenFile'],
    error: 'tokenFile and user exclude each other: give one of them',
  })
const webhook = z.strictObject({ ...common, type: z.literal('webhook'), url, secretFile: file })
const slack = z.strictObject({ ...common, type: z.literal('slack'), urlFile: file })
const pagerduty = z.strictObject({
  ...common,
  type: z.literal('pagerduty'),
  routingKeyFile: file,
  url: url.default('https://events.pagerduty.com/v2/enqueue'),
})
const email = z
  .strictObject({
    ...common,
    type: z.literal('email'),
    server: z
      .url({ protocol: /^smtps?$/, error: 'server must be smtp://host:port or smtps://host:port' })
      .refine((text) => !hasCredentials(text), 'server must not hold a user or a password: give user and passwordFile'),
    user: z.string().min(1).optional(),
    passwordFile: file.optional(),
    from: z.email({ error: 'from must be an e-mail address' }),
    to: z.array(z.email({ error: 'to lists e-mail addresses' })).min(1, 'to needs at least one e-mail address'),
  })
  .refine(isPair, pair)

export const channelSchema = z.discriminatedUnion('type', [alertmanager, webhook, slack, pagerduty, email], {
  error: 'type must be alertmanager, webhook, slack, pagerduty or email',
})

/** Messages wait under the name of their channel. */
export const channelsSchema = z.array(channelSchema).superRefine((channels, context) => {
  const names = channels.map(({ name }) => name)
  for (const [at, name] of names.entries()) {
    if (names.indexOf(name) < at) {
      const message = `two channels are named "${name}": names must differ`
      context.addIssue({ code: 'custom', path: [at, 'name'], message })
    }
  }
})

export type ChannelConfig = z.infer<typeof channelSchema>
