import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HttpSink, startHttpSink } from '../../../e2e/harness/http-sink.ts'
import { makeTempFolder, type TempFolder } from '../../../e2e/harness/temp-folder.ts'
import { alertOf, HOSTILE, LINKS, messageOf } from './message-for-test.ts'
import { Slack, slackBody, slackText } from './slack.ts'

/** As Slack wants it in a text. */
const IN_SLACK = LINKS.alert?.replace('&', '&amp;')

let sink: HttpSink
let folder: TempFolder
let urlFile = ''
beforeEach(async () => {
  sink = await startHttpSink()
  folder = makeTempFolder('slack')
  urlFile = join(folder.path, 'url')
  writeFileSync(urlFile, `${sink.url}/services/T0SECRET/B0SECRET/XSECRET\n`)
})
afterEach(async () => {
  await sink.stop()
  folder.remove()
})

const never = new AbortController().signal
const channel = () => new Slack({ name: 'chat', severities: ['critical'], urlFile })

interface Block {
  type: string
  text?: { type: string; text: string; emoji?: boolean }
  elements?: { type: string; text: string }[]
}
const parsed = (body: string) => JSON.parse(body) as { text: string; mrkdwn: boolean; blocks: Block[] }

test('a message is plain text in blocks, with the same as text for those who know no blocks', async () => {
  await channel().send(messageOf(), never)
  const [request] = sink.requests
  expect(request?.path).toBe('/services/T0SECRET/B0SECRET/XSECRET')
  expect(parsed(request?.body ?? '')).toEqual({
    text: [
      'Critical: billing/settlement has no leader',
      'No candidate holds it. 2 candidates wait.',
      'Since 2026-03-12 02:14:07 UTC.',
      'Cluster: prod-eu · Election: billing/settlement · Rule: leaderless · Severity: critical',
      `Open in Tenure: ${IN_SLACK}`,
      `What to do: ${LINKS.runbook}`,
    ].join('\n'),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: 'Critical: billing/settlement has no leader', emoji: false },
      },
      {
        type: 'section',
        text: {
          type: 'plain_text',
          text: 'No candidate holds it. 2 candidates wait.\nSince 2026-03-12 02:14:07 UTC.\nCluster: prod-eu · Election: billing/settlement · Rule: leaderless · Severity: critical',
          emoji: false,
        },
      },
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: `<${IN_SLACK}|Open in Tenure> · <${LINKS.runbook}|What to do>` }],
      },
    ],
  })
})

test('without a public address there are no links', () => {
  const { blocks, text } = parsed(slackBody(messageOf({ links: { alert: null, runbook: null } })))
  expect(blocks.map(({ type }) => type)).toEqual(['header', 'section'])
  expect(text).not.toContain('Open in Tenure')
})

describe('text of strangers (RC-25)', () => {
  const bodyWith = (text: string) =>
    parsed(slackBody(messageOf({ alert: alertOf({ subject: text, summary: text, detail: text }) })))
  const shown = (blocks: Block[]) => blocks.flatMap(({ text }) => (text ? [text] : []))

  test.each(Object.entries(HOSTILE))('%s calls nobody, links nowhere and has no markup', (_, text) => {
    const { blocks, text: whole, mrkdwn } = bodyWith(text)
    expect(mrkdwn).toBe(false)
    for (const { type, text: part, emoji } of shown(blocks)) {
      expect({ type, emoji }).toEqual({ type: 'plain_text', emoji: false })
      expect(part).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/)
      expect(part.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }
    expect(whole).not.toMatch(/[<>]|&(?!(amp|lt|gt|);)(?!to=)|@\w/)
    // What has markup is ours alone.
    expect(blocks.flatMap(({ elements = [] }) => elements.map((element) => element.text))).toEqual([
      `<${IN_SLACK}|Open in Tenure> · <${LINKS.runbook}|What to do>`,
    ])
  })

  test('is read as it stands once Slack has decoded it', () => {
    const [header] = shown(bodyWith(HOSTILE.channel).blocks)
    expect(header?.text).toBe('Critical: &lt;!channel&gt; *bold* _it_ ~s~ `code` @here')
    expect(slackText('&lt;')).toBe('&amp;lt;')
  })

  test('keeps within the limits of Slack, without half an entity', () => {
    for (const text of [HOSTILE.long, '<'.repeat(20_000), '&😀'.repeat(5_000)]) {
      const [header, section] = shown(bodyWith(text).blocks)
      expect(header?.text.length).toBeLessThanOrEqual(150)
      expect(section?.text.length).toBeLessThanOrEqual(3_000)
      expect(header?.text).toMatch(/…$/)
      expect(header?.text).not.toMatch(/&(?!(amp|lt|gt);)|\p{Cs}/u)
    }
  })
})

test('its address is a secret: read each time, never told', async () => {
  const chat = channel()
  expect(chat.to).toBe(new URL(sink.url).host)
  sink.answer(({ path }) => ({ status: 404, body: `no hook ${path} (T0SECRET)` }))
  const error = await chat.send(messageOf(), never).catch((thrown) => thrown)
  expect(error.message).toContain('answered 404')
  expect(error.message).not.toContain('SECRET')
  writeFileSync(urlFile, `${sink.url}/services/T1/B1/OTHER`)
  sink.answer({ status: 200 })
  await chat.send(messageOf(), never)
  expect(sink.requests.at(-1)?.path).toBe('/services/T1/B1/OTHER')
  writeFileSync(urlFile, 'xoxb-NO-ADDRESS')
  const wrong = await chat.send(messageOf(), never).catch((thrown) => thrown)
  expect(wrong.message).toBe(`${urlFile} holds no address for channel chat: it must be one line, https://host/path`)
  expect(chat.to).toBe(urlFile)
})
