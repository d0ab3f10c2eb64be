/**
 * An incoming webhook as Slack has it. Text is shown as it stands: in objects of plain text, and where a server knows
 * none of them, in a text with markup switched off. Its address is the secret.
 */
import type { Severity } from '../../../lib/election/alerts.ts'
import { DeliveryError, type Links, type Message, type MessageChannel } from './channel.ts'
import { hostOf, post } from './http.ts'
import { readSecret } from './secret-file.ts'
import { cut, headline, lines } from './texts.ts'

export interface SlackOptions {
  name: string
  severities: readonly Severity[]
  urlFile: string
}

const HEADER_CHARS = 150
const SECTION_CHARS = 3_000
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The three characters with which Slack begins links, mentions and commands; it decodes them in every kind of text. */
export function slackText(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
}

/** A limit counts what is sent; half an entity would be shown as it is. */
function slackCut(text: string, max: number): string {
  let kept = cut(text, max)
  while (slackText(kept).length > max) kept = cut(kept, kept.length - 1)
  return slackText(kept)
}

/** Other servers take `@here` in a text for a call to everybody; a joiner, which nobody sees, keeps it from being one. */
const uncalled = (text: string) => text.replace(/@(?=\w)/g, '@\u2060')

/** `|` would end the address within a link. */
const slackUrl = (url: string) => slackText(new URL(url).href.replaceAll('|', '%7C'))

function linksOf({ alert, runbook }: Links): { url: string; words: string }[] {
  return [
    ...(alert === null ? [] : [{ url: alert, words: 'Open in Tenure' }]),
    ...(runbook === null ? [] : [{ url: runbook, words: 'What to do' }]),
  ]
}

const plainText = (text: string, max: number) => ({ type: 'plain_text', text: slackCut(text, max), emoji: false })

export function slackBody(message: Message): string {
  const links = linksOf(message.links)
  const title = headline(message)
  const body = lines(message).join('\n')
  const written = [title, body].map(uncalled).map(slackText)
  const marked = links.map(({ url, words }) => `<${slackUrl(url)}|${words}>`).join(' · ')
  return JSON.stringify({
    text: [...written, ...links.map(({ url, words }) => `${words}: ${slackUrl(url)}`)].join('\n'),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plainText(title, HEADER_CHARS) },
      { type: 'section', text: plainText(body, SECTION_CHARS) },
      ...(links.length === 0 ? [] : [{ type: 'context', elements: [{ type: 'mrkdwn', text: marked }] }]),
    ],
  })
}

function readUrl(file: string, name: string): string {
  const url = readSecret(file, `the address of channel ${name}`)
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.username || parsed?.password) {
    throw new DeliveryError(`the address of channel ${name} in ${file} must not have a user and password in it`)
  }
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return url
  throw new DeliveryError(`${file} holds no address for channel ${name}: it must be one line, https://host/path`)
}

export class Slack implements MessageChannel {
  readonly type = 'slack'
  readonly name: string
  readonly severities: readonly Severity[]
  private readonly urlFile: string

  constructor({ name, severities, urlFile }: SlackOptions) {
    this.name = name
    this.severities = severities
    this.urlFile = urlFile
  }

  /** The host alone, as far as the file can be read. */
  get to(): string {
    try {
      return hostOf(readUrl(this.urlFile, this.name))
    } catch {
      return this.urlFile
    }
  }

  async send(message: Message, signal: AbortSignal): Promise<null> {
    const url = readUrl(this.urlFile, this.name)
    const { pathname, search } = new URL(url)
    const parts = pathname.split('/').filter((part) => part.length > 4)
    await post({ url, body: slackBody(message), secrets: [url, pathname, search, ...parts] }, signal)
    return null
  }
}
