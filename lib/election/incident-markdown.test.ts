import { describe, expect, test } from 'vitest'
import { at, LOST, seen, seenElection, term } from './incident-for-test.ts'
import { incidentMarkdown, svgUri } from './incident-markdown.ts'
import type { IncidentSeen } from './incident-report.ts'
import { incidentReport } from './incident-report.ts'

const EVIL = '<img src=x onerror=alert(1)> | ![x](http://evil.example) "\'& `'
const markdown = (part: Partial<IncidentSeen>) => incidentMarkdown(incidentReport(seen(part)))
/** Without the picture, which is checked by itself. */
const prose = (text: string) => text.replace(/\(data:image[^)]*\)/, '(picture)')

function leadBy(identity: string, name = 'jobs') {
  const leader = { ...term(1, 0, 0).leader, identity }
  return seenElection(name, {
    terms: [term(1, -10, 100, { leader, silentMs: 8_000 }), term(2, 100.2, null, { gapMs: 200, takeoverMs: 300 })],
  })
}

describe('an incident in Markdown', () => {
  test('says the zone in its head, the change with its cause and its parts, and a figure', () => {
    const text = markdown({ elections: [leadBy('w1')] })
    expect(text).toContain(`From **${at(0)}** to **${at(600)}**. All times are UTC, in ISO 8601.`)
    expect(text).toContain(
      `| ${at(100)} | jobs | w1 lost the lead: \\#1 ended, lease lost (failover, over after 8.5 s) | ${LOST.evidence} |`,
    )
    expect(text).toContain('| lease lost | 8.5 s: detect 8.0 s, vacancy 200 ms, takeover 300 ms |')
    expect(text).toContain('| Failovers | 1 |')
    expect(text).not.toContain('## Not in this document')
  })

  test('lets nothing of a stranger begin markup: names, values, reasons and notes', () => {
    const action = {
      at: at(5),
      operation: 'o',
      verb: 'engage',
      asked: {},
      who: EVIL,
      subject: EVIL,
      reason: `x\n\n# ${EVIL}`,
    }
    const text = prose(
      markdown({ elections: [leadBy(EVIL, EVIL)], actions: [{ ...action, result: 'done', words: EVIL }] }),
    )
    expect(text).not.toMatch(/(^|[^\\])[<`]/)
    expect(text).not.toMatch(/(^|[^\\])!\[x/)
    const rows = text.split('\n').filter((line) => line.startsWith('| 2026-'))
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5)
    expect(text.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(4)
  })

  test('names what it does not have', () => {
    const text = markdown({ untold: { elections: 12, isMore: true, actions: 'newest', alerts: 'unreadable' } })
    expect(text).toContain('- At least 12 more elections changed in this range.')
    expect(text).toContain('- The audit log has earlier entries of this range.')
    expect(text).toContain('Nothing changed.')
  })
})

describe('the chart of an incident', () => {
  const svgOf = (part: Partial<IncidentSeen>) => incidentReport(seen(part)).chart.svg

  test('stands alone: no script, no style sheet, nothing from elsewhere, whatever a name says', () => {
    const svg = svgOf({ elections: [leadBy(EVIL, EVIL)] })
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /)
    expect(svg).toContain('&lt;img src=x')
    expect(svg).not.toMatch(/<(script|style|image|img|foreignObject|use|a)\b/)
    expect(svg).not.toMatch(/<[^>]*\s(href|xlink:href|on\w+)=/)
    expect(svg.match(/url\(([^)]*)\)/g)?.every((each) => each.startsWith('url(#'))).toBe(true)
    expect(svgUri(svg)).toMatch(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/)
  })

  test('draws terms to scale, and unobserved time over them', () => {
    const svg = svgOf({ elections: [leadBy('w1')], gaps: [{ from: at(300), to: at(360), reason: 'away' }] })
    const rects = [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="16" fill="([^"]+)"\/>/g)]
    const drawn = rects.map(([, x, width, fill]) => [fill, Number(x), Number(width)])
    // 834 px for 600 s.
    expect(drawn).toContainEqual(['#3f74c4', 190, 139])
    expect(drawn).toContainEqual(['url(#vacancy)', 329, 2])
    expect(drawn).toContainEqual(['url(#gap)', 607, 83.4])
  })

  test('draws the time before the first term that was ever seen as unobserved, and none before a later one', () => {
    const from = (ordinal: number) =>
      svgOf({ elections: [seenElection('jobs', { terms: [term(ordinal, 300, null)] })] })
    expect(from(1)).toContain('<rect x="190" y="57" width="417" height="16" fill="url(#gap)"/>')
    expect(from(2).match(/fill="url\(#gap\)"/g)).toHaveLength(1)
  })

  test('does not draw a term into the time after the document was made', () => {
    const svg = svgOf({ elections: [seenElection('jobs', { terms: [term(1, 0, null)] })], madeAt: at(300) })
    expect(svg).toContain('width="417" height="16" fill="#3f74c4"')
  })
})
