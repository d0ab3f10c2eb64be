/** A mail server that keeps what it gets, read by somebody else's parser: where alerts are mailed in tests. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Certificate } from './certificates.ts'

export interface SunkMail {
  /** Of the envelope. */
  from: string
  to: string[]
  /** As whom it was handed in. */
  user: string | undefined
  isEncrypted: boolean
  raw: string
  parsed: ParsedMail
}

export interface SmtpSinkOptions {
  /** Offers STARTTLS, or speaks TLS from the start. */
  tls?: { certificate: Certificate; fromStart?: boolean }
  /** Nobody else may hand anything in. */
  login?: { user: string; password: string }
}

type Refusal = { code: number; words: string }

export interface SmtpSink {
  readonly port: number
  readonly mails: readonly SunkMail[]
  /** Answers `DATA` so; `null` takes it again. */
  refuse(refusal: Refusal | null): void
  /** Answers a recipient so. */
  refuseRecipient(address: string, refusal: Refusal): void
  /** Closes connections when the mail has come; `hang` says nothing at all. */
  behave(how: 'normal' | 'drop' | 'hang'): void
  received(count: number, withinMs?: number): Promise<readonly SunkMail[]>
  stop(): Promise<void>
}

const refusing = ({ code, words }: Refusal) => Object.assign(new Error(words), { responseCode: code })

export async function startSmtpSink({ tls, login }: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const mails: SunkMail[] = []
  const refusedRecipients = new Map<string, Refusal>()
  const waiting = new Set<() => void>()
  let refusal: Refusal | null = null
  let how: 'normal' | 'drop' | 'hang' = 'normal'

  const take = async (
    stream: AsyncIterable<Buffer>,
    session: Parameters<NonNullable<SMTPServerOptions['onData']>>[1],
  ) => {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    if (how === 'hang') return new Promise<void>(() => {})
    if (refusal !== null || how === 'drop') throw refusing(refusal ?? { code: 421, words: 'closing' })
    const raw = Buffer.concat(chunks).toString('utf8')
    const { mailFrom, rcptTo } = session.envelope
    mails.push({
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      user: session.user as string | undefined,
      isEncrypted: session.secure,
      raw,
      parsed: await simpleParser(raw),
    })
    for (const look of waiting) look()
  }

  const server = new SMTPServer({
    ...(tls && { key: readFileSync(tls.certificate.keyFile), cert: readFileSync(tls.certificate.certFile) }),
    secure: tls?.fromStart === true,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 10,
    onAuth: ({ username, password }, _, done) => {
      if (username === login?.user && password === login?.password) return done(null, { user: username ?? '' })
      done(Object.assign(new Error(`wrong password ${password}`), { responseCode: 535 }))
    },
    onRcptTo: ({ address }, _, done) => {
      const refused = refusedRecipients.get(address)
      done(refused && refusing(refused))
    },
    onData: (stream, session, done) => {
      take(stream, session).then(
        () => done(null),
        (error: Error) => done(error),
      )
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuse: (next) => {
      refusal = next
    },
    refuseRecipient: (address, next) => void refusedRecipients.set(address, next),
    behave: (next) => {
      how = next
    },
    received: (count, withinMs = 5_000) =>
      new Promise((resolve, reject) => {
        const settle = (done: () => void) => {
          clearTimeout(timer)
          waiting.delete(look)
          done()
        }
        const look = () => void (mails.length >= count && settle(() => resolve(mails)))
        const timer = setTimeout(() => {
          settle(() => reject(new Error(`${mails.length} of ${count} mails came within ${withinMs} ms`)))
        }, withinMs)
        waiting.add(look)
        look()
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
