import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './load-config.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenure-channels-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const environment = { TENURE_ETCD_ENDPOINTS: 'http://127.0.0.1:2379', TENURE_WATCH: '/elections/' }

/** Each channel is written on one line, the first on line 3. */
function load(...channels: string[]) {
  const lines = channels.map((channel) => `    - {${channel}}`)
  writeFileSync(join(folder, 'tenure.yaml'), ['alerts:', '  channels:', ...lines, ''].join('\n'))
  return loadConfig(environment, folder)
}

function problems(...channels: string[]): string[] {
  try {
    load(...channels)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ where, what }) => `${where.replace(`${folder}/`, '')}: ${what}`)
  }
}

const EMAIL = 'type: email, server: "smtp://mail.example.org:587", from: tenure@example.org, to: [oncall@example.org]'

test('what a channel leaves out has its default', () => {
  writeFileSync(join(folder, 'key'), 'x')
  const [am, pager] = load(
    'name: am, type: alertmanager, urls: ["http://127.0.0.1:9093"]',
    'name: pager, type: pagerduty, routingKeyFile: key',
  ).alerts.channels
  expect(am).toMatchObject({ everyMs: 60_000, severities: ['critical', 'warning'] })
  expect(pager).toMatchObject({ url: 'https://events.pagerduty.com/v2/enqueue' })
})

describe('is refused, with its line and what would be right:', () => {
  test('two channels of one name', () => {
    expect(problems(`name: mail, ${EMAIL}`, `name: other, ${EMAIL}`, `name: mail, ${EMAIL}`)).toEqual([
      'tenure.yaml:5: alerts.channels[2].name: two channels are named "mail": names must differ',
    ])
  })

  test('an unknown type', () => {
    expect(problems('name: pigeon, type: pigeon')).toEqual([
      'tenure.yaml:3: type must be alertmanager, webhook, slack, pagerduty or email',
    ])
  })

  test('a file that cannot be read, of any channel', () => {
    writeFileSync(join(folder, 'readable'), 'x')
    const missing = (line: number, name: string) =>
      `tenure.yaml:${line}: cannot read ${join(folder, name)}: give the path of a file that this user may read`
    expect(
      problems(
        'name: a, type: alertmanager, urls: ["http://127.0.0.1:9093"], tokenFile: token',
        'name: b, type: webhook, url: "https://tools.example.org/in", secretFile: readable',
        'name: c, type: slack, urlFile: url',
        'name: d, type: pagerduty, routingKeyFile: key',
        `name: e, user: tenure, passwordFile: password, ${EMAIL}`,
      ),
    ).toEqual([missing(3, 'token'), missing(5, 'url'), missing(6, 'key'), missing(7, 'password')])
  })

  test('a password in an address, which is not repeated', () => {
    writeFileSync(join(folder, 'secret'), 'x')
    const found = problems(
      'name: a, type: webhook, url: "https://u1:pa55word@tools.example.org/in", secretFile: secret',
      'name: b, type: email, server: "smtp://u1:pa55word@mail.example.org", from: a@example.org, to: [b@example.org]',
    )
    expect(found).toEqual([
      expect.stringContaining('tenure.yaml:3: alerts.channels[0].url: an address must not hold a user or a password'),
      expect.stringContaining('tenure.yaml:4: '),
    ])
    expect(found.join('\n')).toContain('give user and passwordFile')
    expect(found.join('\n')).not.toContain('pa55word')
  })

  test('a user without a password, or with a token as well', () => {
    writeFileSync(join(folder, 'x'), 'x')
    const am = 'type: alertmanager, urls: ["http://127.0.0.1:9093"]'
    expect(
      problems(
        `name: mail, user: tenure, ${EMAIL}`,
        `name: a, passwordFile: x, ${am}`,
        `name: b, user: tenure, passwordFile: x, tokenFile: x, ${am}`,
      ),
    ).toEqual([
      'tenure.yaml:3: user and passwordFile belong together: give both or none',
      'tenure.yaml:4: user and passwordFile belong together: give both or none',
      'tenure.yaml:5: tokenFile and user exclude each other: give one of them',
    ])
  })
})
