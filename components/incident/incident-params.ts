/** What the report is of, in the address of its page and of its files. */
import type { AskedReport } from '../live/incidents.ts'

export function readIncidentParams(params: URLSearchParams): Partial<AskedReport> & Pick<AskedReport, 'refs'> {
  const text = (name: 'cluster' | 'from' | 'to') => {
    const value = params.get(name)
    return value === null || value === '' ? {} : { [name]: value }
  }
  return { ...text('cluster'), ...text('from'), ...text('to'), refs: params.getAll('ref') }
}

function queryOf({ cluster, from, to, refs }: AskedReport): URLSearchParams {
  const params = new URLSearchParams({ cluster, from, to })
  for (const ref of refs) params.append('ref', ref)
  return params
}

export const incidentHref = (asked: AskedReport) => `/incident?${queryOf(asked)}`

export function incidentFileHref(asked: AskedReport, format: 'markdown' | 'json'): string {
  const params = queryOf(asked)
  params.set('format', format)
  return `/api/incident?${params}`
}

/** A refusal of the server names the field; a reader has a beginning and an end before them. */
export function refusalWords(message: string): string {
  const words = message
    .replace(/\bto: must\b/g, 'the end must')
    .replace(/\bfrom: must\b/g, 'the beginning must')
    .replace(/\bafter from\b/g, 'after the beginning')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`
}
