/** An incident as one Markdown document. Names, reasons and notes come from strangers: all pass `markdownText`. */
import { base64FromLatin1, latin1, utf8 } from '../shared/bytes.ts'
import { brief, count } from '../shared/format.ts'
import { markdownText as md } from '../shared/markdown.ts'
import { type IncidentEntry, nameOf } from './incident-entries.ts'
import type { IncidentElection, IncidentReport, IncidentTerm } from './incident-report.ts'
import { periodRows } from './period-rows.ts'
import { PARTS } from './transitions.ts'

export function incidentMarkdown(report: IncidentReport): string {
  const { cluster, from, to, madeAt, summary, elections, chart } = report
  const blocks = [
    `# Incident: elections of ${md(cluster)}`,
    `From **${from}** to **${to}**. All times are UTC, in ISO 8601. Made at ${madeAt} by Tenure.`,
    `**${md(summary)}**`,
    `![${md(chart.alt)}](${svgUri(chart.svg)})`,
    '## Timeline',
    timeline(report),
    '## Elections',
    ...(elections.length === 0 ? ['None.'] : elections.flatMap(electionBlocks)),
    ...untoldBlocks(report),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** For an `img` or a Markdown image: as a picture it can neither run nor fetch anything. */
export function svgUri(svg: string): string {
  return `data:image/svg+xml;base64,${base64FromLatin1(latin1(utf8(svg)))}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function timeline({ entries, elections }: IncidentReport): string {
  if (entries.length === 0) return 'Nothing changed.'
  const names = new Map(elections.map(({ ref, name }) => [ref, name]))
  const rows = entries.map((entry) => [
    whenOf(entry),
    md(subjectOf(entry, names)),
    md(entry.words),
    md(entry.why ?? ''),
  ])
  return table(['Time (UTC)', 'Election', 'What happened', 'Evidence or reason'], rows)
}

/** A moment, or from when to when it lasted; "now" would be another time for every reader. */
export function whenOf({ at, to }: IncidentEntry): string {
  if (to === null) return `since ${at}`
  return to === undefined || to === at ? at : `${at} to ${to}`
}

const FEW = 3

/** Names of the elections it concerns; "all" of the whole cluster. */
export function subjectOf({ refs }: IncidentEntry, names: ReadonlyMap<string, string>): string {
  if (refs === undefined) return 'whole cluster'
  if (refs.length > FEW) return count(refs.length, 'election')
  return refs.map((ref) => names.get(ref) ?? ref).join(', ')
}

function electionBlocks(election: IncidentElection): string[] {
  const { name, prefix, figures, ledObjective, terms, earlierTerms } = election
  const rows = periodRows(figures, null, ledObjective).map((row) => [row.name, row.now])
  return [
    `### ${md(name)}`,
    `Prefix: ${md(prefix)}`,
    table(['Figure', 'In this range'], rows),
    ...(terms.length === 0 ? ['No term is known.'] : [table(TERM_HEAD, terms.map(termCells))]),
    ...(earlierTerms > 0 ? [`${count(earlierTerms, 'earlier term')} are counted above and not listed.`] : []),
  ]
}

const TERM_HEAD = [
  'Term',
  'Token',
  'Leader',
  'From (UTC)',
  'To (UTC)',
  'Ended by',
  'Until the next acted',
  'Evidence',
  'Said of it',
]

function termCells(term: IncidentTerm): string[] {
  const { ordinal, epoch, token, identity, from, fromAtLeast, to, evidence } = term
  const which = epoch === 0 ? token : `${token}, epoch ${epoch}`
  const words = [md(causeWords(term)), md(partWords(term)), md(evidence), md(saidWords(term))]
  return [
    `${ordinal}`,
    which,
    md(nameOf(identity)),
    `${fromAtLeast ? 'before ' : ''}${from}`,
    to ?? 'goes on',
    ...words,
  ]
}

export function causeWords({ cause, by }: IncidentTerm): string {
  return cause === null ? '' : by === null ? cause : `${cause} by ${by}`
}

/** "9.0 s: detect 8.0 s, vacancy 200 ms; takeover not known" */
export function partWords(term: IncidentTerm): string {
  if (term.kind === null) return ''
  const known = PARTS.flatMap((part) => {
    const ms = term[`${part}Ms`]
    return ms === null || (part === 'refill' && ms === 0) ? [] : [`${part} ${brief(ms)}`]
  })
  const unknown = term.unknownParts.length === 0 ? [] : [`${term.unknownParts.join(' and ')} not known`]
  const parts = [...(known.length === 0 ? [] : [known.join(', ')]), ...unknown].join('; ')
  return term.totalMs === null ? parts : `${brief(term.totalMs)}: ${parts}`
}

export function saidWords({ note, acknowledged }: IncidentTerm): string {
  const seen = acknowledged === null ? [] : [`Acknowledged by ${acknowledged.by} at ${acknowledged.at}.`]
  const noted = note === null ? [] : [`Note by ${note.by} at ${note.at}: ${note.text}`]
  return [...seen, ...noted].join(' ')
}

function untoldBlocks({ untold }: IncidentReport): string[] {
  const words = untoldWords(untold)
  return words.length === 0 ? [] : ['## Not in this document', words.map((each) => `- ${each}`).join('\n')]
}

/** What there is besides: a reader must know that it is missing. */
export function untoldWords({ elections, isMore, actions, alerts }: IncidentReport['untold']): string[] {
  const least = isMore ? 'At least ' : ''
  return [
    ...(elections > 0 || isMore ? [`${least}${count(elections, 'more election')} changed in this range.`] : []),
    ...(actions === 'newest' ? ['The audit log has earlier entries of this range.'] : []),
    ...(actions === 'unreadable' ? ['The audit log could not be read: what people did is missing.'] : []),
    ...(alerts === 'newest' ? ['There may be alerts that fired earlier in this range.'] : []),
    ...(alerts === 'unreadable' ? ['What fired could not be read: alerts are missing.'] : []),
  ]
}
