/** Anybody's own endpoint: the whole alert as JSON, signed. docs/alerts.md describes the body for those who read it. */
import { createHmac } from 'node:crypto'
import type { Severity } from '../../../lib/election/alerts.ts'
import type { Clock } from '../../../lib/shared/clock.ts'
import type { Message, MessageChannel } from './channel.ts'
import { hostOf, post } from './http.ts'
import { readSecret } from './secret-file.ts'
import { headline, showable } from './texts.ts'

export interface WebhookOptions {
  name: string
  severities: readonly Severity[]
  url: string
  secretFile: string
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`: the time is signed too, so that nothing old can be replayed. */
export function signatureOf(body: string, secret: string, nowMs: number): string {
  const t = Math.floor(nowMs / 1_000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}

export function webhookBody(message: Message): string {
  const { id, kind, at, alert, links } = message
  const { partOf: _, silence: __, ref, ...told } = showable(alert)
  return JSON.stringify({
    v: 1,
    id,
    kind,
    at,
    text: headline(message),
    alert: { ...told, ref: ref ?? null },
    links,
  })
}

export class Webhook implements MessageChannel {
  readonly type = 'webhook'
  readonly name: string
  readonly to: string
  readonly severities: readonly Severity[]
  private readonly url: string
  private readonly secretFile: string
  private readonly clock: Pick<Clock, 'nowMs'>

  constructor({ name, severities, url, secretFile }: WebhookOptions, clock: Pick<Clock, 'nowMs'>) {
    this.name = name
    this.severities = severities
    this.url = url
    this.to = hostOf(url)
    this.secretFile = secretFile
    this.clock = clock
  }

  async send(message: Message, signal: AbortSignal): Promise<null> {
    const secret = readSecret(this.secretFile, `the secret of channel ${this.name}`)
    const body = webhookBody(message)
    const headers = {
      'tenure-signature': signatureOf(body, secret, this.clock.nowMs()),
      'tenure-delivery': message.id,
    }
    await post({ url: this.url, body, headers, secrets: [secret] }, signal)
    return null
  }
}
