/** E-mail by SMTP: to a submission port with STARTTLS where it is offered, or with TLS from the start. */
import { createTransport } from 'nodemailer'
import type { Severity } from '../../../lib/election/alerts.ts'
import { DeliveryError, type Message, type MessageChannel } from './channel.ts'
import { mailOf } from './email-body.ts'
import { readSecret } from './secret-file.ts'
import { plain } from './texts.ts'

export interface EmailOptions {
  name: string
  severities: readonly Severity[]
  /** `smtp://host:port` or `smtps://host:port`. */
  server: string
  user?: string
  passwordFile?: string
  from: string
  to: readonly string[]
}

const STEP_MS = 10_000
const DEADLINE_MS = 30_000
const MAX_WORDS_CHARS = 200
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

/** As nodemailer describes what failed; all of it may be missing. */
interface MailFailure {
  code?: string
  originalCode?: string
  responseCode?: number
  response?: string
  message: string
  permanent?: boolean
}

/** Refused for good only where the server has looked at the message or its recipients: a password may be replaced. */
function failureOf(error: MailFailure, host: string, secrets: readonly string[]): DeliveryError {
  const { code, originalCode, responseCode, response = '' } = error
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), response || error.message)
  const words = plain(said.split(/[\r\n]/)[0] ?? '', MAX_WORDS_CHARS)
  if (code === 'ETLS') return new DeliveryError(`${host} cannot be spoken to over TLS: ${words}`)
  const aboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (responseCode !== undefined) {
    return new DeliveryError(`${host} answered: ${words}`, { permanent: aboutMessage && error.permanent === true })
  }
  return new DeliveryError(`${host} did not take it: ${originalCode ?? code ?? 'failed'}, ${words}`)
}

export class Email implements MessageChannel {
  readonly type = 'email'
  readonly name: string
  readonly to: string
  readonly severities: readonly Severity[]
  private readonly options: EmailOptions

  constructor(options: EmailOptions) {
    this.name = options.name
    this.severities = options.severities
    this.to = options.to.join(', ')
    this.options = options
  }

  async send(message: Message, signal: AbortSignal): Promise<string | null> {
    const { from, to, server } = this.options
    const { host } = new URL(server)
    const password = this.password()
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    try {
      const mail = { ...mailOf(message, from, to), signal: AbortSignal.any([signal, deadline]) }
      const { rejected } = await createTransport(this.transport(password)).sendMail(mail)
      // The others have it: sending it again would tell them twice.
      return rejected.length === 0 ? null : `${host} took it, but not for ${rejected.map(String).join(', ')}`
    } catch (error) {
      if (signal.aborted) throw new DeliveryError(`sending by ${host} was cut short: Tenure stops`)
      if (deadline.aborted) throw new DeliveryError(`${host} did not take it within ${DEADLINE_MS / 1_000} s`)
      const secrets = password === null ? [] : [password, Buffer.from(password).toString('base64')]
      throw failureOf(error as MailFailure, host, secrets)
    }
  }

  private password(): string | null {
    const { passwordFile, name } = this.options
    return passwordFile === undefined ? null : readSecret(passwordFile, `the password of channel ${name}`)
  }

  private transport(password: string | null) {
    const { hostname, port, protocol } = new URL(this.options.server)
    const { user } = this.options
    const secure = protocol === 'smtps:'
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      // A password crosses no network in the clear.
      requireTLS: !secure && password !== null && !LOOPBACK.test(hostname),
      ...(user === undefined || password === null ? {} : { auth: { user, pass: password } }),
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      dnsTimeout: STEP_MS,
      socketTimeout: STEP_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }
}
