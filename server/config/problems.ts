/** What is wrong with a configuration, in words that say what would be right. */
import type { z } from 'zod'
import type { Problem } from './environment.ts'
import { clusterSchema, configSchema } from './schema.ts'

type Issue = z.core.$ZodIssue
type Locate = (path: readonly PropertyKey[]) => string

const SHAPES: Readonly<Record<string, string>> = {
  array: 'must be a list: put each entry in brackets, as in [one, another], or on a line of its own after "- "',
  boolean: 'must be true or false',
  number: 'must be a whole number',
  string: 'must be text',
  object: 'must be a mapping',
}

/** clusters[0].tls.ca */
function settingOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

function meaning(issue: Issue): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    return issue.input === undefined && /undefined$/.test(issue.message)
      ? `is missing: it ${SHAPES[issue.expected] ?? `must be ${issue.expected}`}`
      : (SHAPES[issue.expected] ?? `must be ${issue.expected}`)
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) {
    return `must be one of ${issue.values.map(String).join(', ')}`
  }
  return issue.message
}

function problemOf(issue: Issue, at: readonly PropertyKey[], locate: Locate): Problem {
  const path = [...at, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `"${key}"`).join(', ')
    const where = locate([...path, ...issue.keys.slice(0, 1)])
    return { where, what: `unknown setting ${keys}: see tenure.example.yaml for the names` }
  }
  const setting = settingOf(path)
  const said = meaning(issue)
  const named = said.startsWith(String(path.at(-1)))
  return { where: locate(path), what: setting === '' || named ? said : `${setting}: ${said}` }
}

/** Every problem of the tree; one cluster's wrong type does not hide what is wrong elsewhere. */
export function problemsOf(tree: Readonly<Record<string, unknown>>, locate: Locate): Problem[] {
  const parsed = configSchema.safeParse({ clusters: [], ...tree })
  if (parsed.success) return []
  const found = parsed.error.issues.map((issue) => problemOf(issue, [], locate))
  const clusters = Array.isArray(tree.clusters) ? tree.clusters : []
  for (const [at, cluster] of clusters.entries()) {
    const issues = clusterSchema.safeParse(cluster).error?.issues ?? []
    found.push(...issues.map((issue) => problemOf(issue, ['clusters', at], locate)))
  }
  const seen = new Set<string>()
  return found.filter(({ where, what }) => !seen.has(`${where} ${what}`) && seen.add(`${where} ${what}`))
}
