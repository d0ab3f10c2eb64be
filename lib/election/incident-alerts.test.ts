import { describe, expect, test } from 'vitest'
import type { Alert } from './alerts.ts'
import { refOf } from './ids.ts'
import { alert, at, seen, seenElection } from './incident-for-test.ts'
import { incidentMarkdown } from './incident-markdown.ts'
import { incidentReport } from './incident-report.ts'

const jobs = seenElection('jobs')
const entriesOf = (...alerts: Alert[]) => incidentReport(seen({ elections: [jobs], alerts })).entries
const words = (...alerts: Alert[]) => entriesOf(...alerts).map((entry) => entry.words)

describe('an alert in an incident report', () => {
  test('is told from when it fired to when it was over, with what was observed', () => {
    expect(entriesOf(alert({ ref: jobs.ref }))).toEqual([
      {
        type: 'alert',
        at: at(110),
        to: at(362),
        refs: [jobs.ref],
        words: 'Alert: jobs has no leader, fired 03:01:50, over after 4 m 12 s',
        why: 'Nobody has led for 20 s.',
        alert: { rule: 'leaderless', severity: 'critical' },
      },
    ])
  })

  test('says who acknowledged it, and that it is not over', () => {
    const acknowledged = { by: 'u1', at: at(200), comment: 'looking into it' }
    expect(words(alert({ resolvedAt: null, stage: 'firing', acknowledged }))).toEqual([
      'Alert: jobs has no leader, fired 03:01:50, not over; acknowledged by u1: looking into it',
    ])
    expect(words(alert({ acknowledged: { ...acknowledged, comment: '' }, silence: 's1' }))).toEqual([
      'Alert: jobs has no leader, fired 03:01:50, over after 4 m 12 s; acknowledged by u1; silenced',
    ])
  })

  test('claims no time that was not observed', () => {
    expect(words(alert({ sinceApproximate: true, resolvedApproximate: true }))).toEqual([
      'Alert: jobs has no leader, fired 03:01:50 (it may have begun earlier, unseen), over after about 4 m 12 s',
    ])
  })

  test.each<[string, Partial<Alert>, number]>([
    ['fired before and was over in the range', { firedAt: at(-10), resolvedAt: at(1) }, 1],
    ['fired before and is not over', { firedAt: at(-10), resolvedAt: null }, 1],
    ['was over before the range', { firedAt: at(-10), resolvedAt: at(-1) }, 0],
    ['fired at the end of the range', { firedAt: at(600) }, 0],
    ['never fired', { firedAt: null, resolvedAt: null, stage: 'pending' }, 0],
    ['is of another cluster', { cluster: 'other' }, 0],
    ['is of Tenure as a whole', { cluster: null, rule: 'history-unwritten' }, 1],
    ['is of the cluster', { rule: 'quorum-lost' }, 1],
    ['is of an election that the report tells of', { ref: jobs.ref }, 1],
    ['is of an election that it does not tell of', { ref: refOf('queue', '/e/quiet/') }, 0],
  ])('one that %s', (_, part, count) => {
    expect(entriesOf(alert(part))).toHaveLength(count)
  })

  test('forty that a mass event says already are one', () => {
    const mass = alert({ id: 'm', key: 'mass', rule: 'mass-event', summary: '40 elections lost their leaders' })
    const parts = Array.from({ length: 40 }, (_, n) => alert({ id: `${n}`, key: `k${n}`, partOf: 'mass' }))
    expect(words(mass, ...parts)).toEqual([
      'Alert: 40 elections lost their leaders, fired 03:01:50, over after 4 m 12 s',
    ])
    const [first] = parts
    expect(first && words(first)).toHaveLength(1)
  })

  test('is text in Markdown, whatever the names and comments say', () => {
    const acknowledged = { by: '<b>u1</b>', at: at(200), comment: '| [x](javascript:1)\n# y' }
    const report = incidentReport(
      seen({ elections: [jobs], alerts: [alert({ summary: '*a|b* has no leader', acknowledged })] }),
    )
    const line = incidentMarkdown(report)
      .split('\n')
      .find((each) => each.includes('Alert:'))
    expect(line).toContain(String.raw`Alert: \*a\|b\* has no leader`)
    expect(line).toContain(String.raw`\<b\>u1\</b\>: \| \[x\](javascript:1) \# y`)
  })
})
