/** An alert as an e-mail, without its way there. */
import { createHash } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'
import { markupText } from '../../../lib/shared/svg.ts'
import type { Message } from './channel.ts'
import { cut, headline, lines } from './texts.ts'

const SUBJECT_CHARS = 200

/** Names of messages may hold anything; what stands in angle brackets in a header may not. */
function idOf(kind: 'message' | 'alert', id: string, domain: string): string {
  const safe = /^[A-Za-z0-9._-]{1,100}$/.test(id) ? id : createHash('sha256').update(id).digest('hex')
  return `<${kind}.${safe}@${domain}>`
}

function linksOf({ links }: Message): [words: string, url: string][] {
  return [
    ...(links.alert === null ? [] : [['Open in Tenure', links.alert] satisfies [string, string]]),
    ...(links.runbook === null ? [] : [['What to do', links.runbook] satisfies [string, string]]),
  ]
}

function htmlOf(message: Message): string {
  const paragraphs = lines(message).map((line) => `<p>${markupText(line)}</p>`)
  const links = linksOf(message).map(([words, url]) => `<a href="${markupText(url)}">${words}</a>`)
  return [
    `<p><strong>${markupText(headline(message))}</strong></p>`,
    ...paragraphs,
    ...(links.length === 0 ? [] : [`<p>${links.join(' · ')}</p>`]),
  ].join('\n')
}

/**
 * The same message has the same Message-ID, so that one sent twice is known; all about one alert refer to one id that
 * nobody has, by which mail programs show them as one thread.
 */
export function mailOf(message: Message, from: string, to: readonly string[]): SendMailOptions {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const thread = idOf('alert', message.alert.id, domain)
  const isUrgent = message.alert.severity === 'critical' && (message.kind === 'firing' || message.kind === 'reminder')
  const links = linksOf(message).map(([words, url]) => `${words}: ${url}`)
  return {
    from: { name: 'Tenure', address: from },
    to: [...to],
    subject: cut(`[Tenure] ${headline(message)}`, SUBJECT_CHARS),
    date: new Date(message.at),
    messageId: idOf('message', message.id, domain),
    inReplyTo: thread,
    references: [thread],
    ...(isUrgent ? { priority: 'high' as const } : {}),
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: [headline(message), '', ...lines(message), '', ...links].join('\n').trimEnd(),
    html: htmlOf(message),
  }
}
