/** Runbooks as somebody needs them at night: each there, whole, short, with links that lead somewhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ALERT_RULES, type AlertRule } from '../../lib/election/alerts.ts'
import { anchorOf } from '../../lib/shared/markdown.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'
import { SHIPPED } from '../alerts/thresholds.ts'
import { linkTarget, OVERVIEW, readDocument } from './documents.ts'

const FOLDER = 'docs/runbooks'
const HEADINGS = [
  'What you see',
  'What it means for your service',
  'Check first',
  'Do',
  'When it resolves',
  'Not a fault when',
]
/** Its settings as they are shipped, as a page says them: `forMs` (10,000). What waits for nothing names no time. */
function settingsOf(rule: AlertRule): string[] {
  const { off: _, severity: __, ...own } = SHIPPED[rule]
  return Object.entries(own).flatMap(([name, value]) => {
    if (typeof value !== 'number' || (name === 'forMs' && value === 0)) return []
    return [`${name}\` (${value === 1 / 3 ? '1/3' : value.toLocaleString('en-US')})`]
  })
}
const textOf = (file: string) => readFileSync(join(rootDir, file), 'utf8')
const headingsOf = (text: string) => [...text.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading = '']) => heading)
const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href)

test('the folder has a page for each rule, and no other', () => {
  const expected = [...ALERT_RULES, OVERVIEW].map((name) => `${name}.md`)
  expect(readdirSync(join(rootDir, FOLDER)).toSorted()).toEqual(expected.toSorted())
})

describe.each(ALERT_RULES)('%s', (rule) => {
  const text = textOf(`${FOLDER}/${rule}.md`)

  test('has every heading, in order, with something below it', () => {
    const sections = text.split(/^## /m).slice(1)
    expect(sections.map((section) => section.split('\n')[0])).toEqual(HEADINGS)
    for (const section of sections) expect(section.split('\n').slice(1).join('').trim()).not.toBe('')
  })

  test('opens with what it means, names its rule and severity, and says what not to do', () => {
    expect(text).toMatch(/^# \*\*.+\*\*.*\n\nRule `/)
    expect(text).toMatch(new RegExp(`^Rule \`${rule}\`, ${SHIPPED[rule].severity}`, 'm'))
    expect(text).toContain('**Do not**')
  })

  test('is at most a screen and a half', () => {
    const rows = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 120)), 0)
    expect(rows).toBeLessThanOrEqual(75)
  })

  test('names its settings with their defaults', () => {
    const settings = settingsOf(rule)
    const resolves = (text.split('## When it resolves')[1]?.split('\n## ')[0] ?? '').replace(/\s+/g, ' ')
    expect(resolves.includes(`alerts.rules.${rule}`)).toBe(settings.length > 0)
    for (const setting of settings) expect(resolves).toContain(setting)
  })

  test('is in the table of all, with its severity', () => {
    const row = `| [${rule}](${rule}.md) | ${SHIPPED[rule].severity} |`
    expect(textOf(`${FOLDER}/README.md`)).toContain(row)
  })

  test('says "etcd raft leader" where it means that', () => {
    expect(text).not.toMatch(/(?<!etcd )raft leader/i)
  })
})

describe('a link', () => {
  const pages = ['docs/break-glass.md', ...[...ALERT_RULES, OVERVIEW].map((name) => `${FOLDER}/${name}.md`)]

  test.each(pages)('of %s leads to a file that is there, and to a heading in it', (from) => {
    for (const href of linksOf(textOf(from)).filter((each) => !each.startsWith('http'))) {
      const [path = '', anchor] = href.split('#')
      const file = path === '' ? from : posix.join(posix.dirname(from), path)
      expect(existsSync(join(rootDir, file)), `${from}: ${href}`).toBe(true)
      if (anchor !== undefined) expect(headingsOf(textOf(file)).map(anchorOf), `${from}: ${href}`).toContain(anchor)
    }
  })

  test.each([
    ['docs/runbooks/leaderless.md', 'etcd-alarm.md', { page: '/runbooks/etcd-alarm' }],
    ['docs/runbooks/leaderless.md', '../break-glass.md#release', { page: '/runbooks/break-glass#release' }],
    ['docs/runbooks/leaderless.md', 'README.md', { page: '/runbooks' }],
    ['docs/break-glass.md', '#release', { page: '#release' }],
    ['docs/break-glass.md', 'api.md#auditlist', { file: 'docs/api.md' }],
    ['docs/break-glass.md', '../lib/a.test.ts', { file: 'lib/a.test.ts' }],
    ['docs/serving.md', 'https://example.org/x', { elsewhere: 'https://example.org/x' }],
    ['docs/serving.md', '//example.org/x', { file: 'docs/example.org/x' }],
    ['docs/serving.md', 'javascript:alert(1)', { file: 'docs/javascript:alert(1)' }],
  ])('of %s to %s', (from, href, target) => {
    expect(linkTarget(from, href)).toEqual(target)
  })
})

describe('a document', () => {
  test('is read from the folder that Tenure is installed in', async () => {
    const found = await readDocument({ root: rootDir }, 'leaderless')
    expect(found).toEqual({ file: 'docs/runbooks/leaderless.md', text: textOf('docs/runbooks/leaderless.md') })
  })

  test.each(['nothing', '', '..', '../../package', 'api', 'constructor', 'leaderless.md'])(
    'named "%s" is none',
    async (name) => {
      expect(await readDocument({ root: rootDir }, name)).toBeNull()
    },
  )
})
