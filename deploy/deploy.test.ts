/** What is shipped beside Tenure names only metrics, labels and runbooks that there are. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ALERT_RULES } from '../lib/election/alerts.ts'
import { rootDir } from '../scripts/setup/paths.mjs'
import { CATALOGUE, type MetricName } from '../server/metrics/catalogue.ts'

const read = (file: string) => readFileSync(join(rootDir, file), 'utf8')
const RULES = read('deploy/prometheus/tenure.rules.yml')
const RULES_TEST = ['test', 'days.test'].map((part) => read(`deploy/prometheus/tenure.rules.${part}.yml`)).join('\n')
const DASHBOARD = read('deploy/grafana/tenure.json')
const DOCS = read('docs/metrics.md')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook_url: string }
}
const rules: Rule[] = parse(RULES).groups.flatMap((group: { rules: Rule[] }) => group.rules)

/** Names of Tenure's metrics, without what a histogram appends. */
const named = (text: string) =>
  new Set([...text.matchAll(/\btenure_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')))

const known = new Set(Object.keys(CATALOGUE))

function unknownLabels(text: string): string[] {
  return [...text.matchAll(/\b(tenure_[a-z_]+?)(?:_bucket)?\{([^}]*)\}/g)].flatMap(([, name = '', selector = '']) => {
    const labels = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
    const own: readonly string[] = CATALOGUE[name as MetricName]?.labels ?? []
    return labels.filter((label) => label !== 'le' && !own.includes(label)).map((label) => `${name}{${label}}`)
  })
}

describe('the documentation', () => {
  const rows = new Map(
    DOCS.split('\n').flatMap((line) => {
      const [, name, type, labels] = /^\| `(tenure_\w+)` \| (\w+) \| ([^|]*)\|/.exec(line) ?? []
      return name === undefined ? [] : [[name, { type, labels }] as const]
    }),
  )

  it('has a row for each metric, and for no other', () => {
    expect([...rows.keys()].sort()).toEqual([...known].sort())
  })

  it.each(Object.entries(CATALOGUE))('says the type and labels of %s', (name, { type, labels }) => {
    const row = rows.get(name)
    expect(row?.type).toBe(type)
    const implied = name.startsWith('tenure_election_')
      ? ['cluster', 'election']
      : /^tenure_(cluster|metrics)_/.test(name)
        ? ['cluster']
        : []
    const told = [...(row?.labels ?? '').matchAll(/`(\w+)`/g)].map(([, label]) => label)
    expect([...implied, ...told].sort()).toEqual([...labels].sort())
  })

  it('names no metric that there is none of', () => {
    expect([...named(DOCS)].filter((name) => !known.has(name))).toEqual([])
  })
})

describe('the alerting rules', () => {
  it('ask only for metrics and labels that there are', () => {
    const text = rules.map(({ expr }) => expr).join('\n')
    expect([...named(text)].filter((name) => !known.has(name))).toEqual([])
    expect(unknownLabels(text)).toEqual([])
  })

  it('are sixteen or more, each under a name of its own', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    expect(rules.length).toBeGreaterThanOrEqual(16)
  })

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s has severity, words and a runbook', (alert, rule) => {
    expect(['critical', 'warning']).toContain(rule.labels.severity)
    expect(rule.annotations.summary).not.toBe('')
    const page = /^https:\/\/example\.org\/tenure\/docs\/(.+)\.md$/.exec(rule.annotations.runbook_url)?.[1]
    const pages = [...ALERT_RULES.map((name) => `runbooks/${name}`), 'metrics', 'break-glass']
    expect(pages).toContain(page)
    expect(existsSync(join(rootDir, 'docs', `${page}.md`))).toBe(true)
    expect(RULES_TEST).toContain(`alertname: ${alert}\n        exp_alerts:`)
  })

  it('are there for every rule that Tenure alerts by', () => {
    const pages = new Set(rules.map(({ annotations }) => /runbooks\/(.+)\.md$/.exec(annotations.runbook_url)?.[1]))
    expect(ALERT_RULES.filter((rule) => !pages.has(rule))).toEqual([])
  })
})

describe('the dashboard', () => {
  const dashboard = JSON.parse(DASHBOARD)
  const expressions: string[] = [
    ...dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) => panel.targets ?? []),
    ...dashboard.annotations.list,
  ].map(({ expr }: { expr: string }) => expr)

  it('asks only for metrics and labels that there are', () => {
    const text = `${expressions.join('\n')}\n${JSON.stringify(dashboard.templating.list.map(({ definition }: { definition?: string }) => definition)).replaceAll('\\"', '"')}`
    expect([...named(text)].filter((name) => !known.has(name))).toEqual([])
    expect(unknownLabels(text)).toEqual([])
  })

  it('has variables for the data source, the cluster and the election', () => {
    expect(dashboard.templating.list.map(({ name }: { name: string }) => name)).toEqual([
      'datasource',
      'cluster',
      'election',
    ])
  })

  it('has panels of different numbers that do not lie on each other', () => {
    const panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[] = dashboard.panels
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })

  it('takes every panel from the data source that was chosen', () => {
    for (const { type, datasource } of dashboard.panels) {
      if (type !== 'row') expect(datasource).toEqual({ type: 'prometheus', uid: `$\{datasource}` })
    }
  })

  it('shows most of what there is', () => {
    const shown = named(expressions.join('\n'))
    expect([...known].filter((name) => !shown.has(name)).sort()).toEqual([
      'tenure_alerts',
      'tenure_cluster_certificate_expiry_timestamp_seconds',
      'tenure_cluster_elections',
      'tenure_cluster_rolled_back',
      'tenure_election_lease_ttl_seconds',
      'tenure_election_term_token',
      'tenure_history_written',
      'tenure_metrics_elections_dropped',
    ])
  })
})
