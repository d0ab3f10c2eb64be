/** Reads `tenure.yaml` and the environment once; the only reader of either. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { applyEnvironment, type Problem } from './environment.ts'
import { type Config, configSchema } from './schema.ts'

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ where, what }) => `${where}: ${what}`).join('\n'))
    this.problems = problems
  }
}

interface Source {
  tree: Record<string, unknown>
  problems: Problem[]
  /** Where in the file a path of the configuration stands. */
  locate: (path: readonly PropertyKey[]) => string
}

function readFile(file: string): Source {
  const counter = new LineCounter()
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: counter })
  const lineAt = (offset: number) => `${file}:${counter.linePos(offset).line}`
  const locate = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return lineAt(node.range[0])
    }
    return file
  }
  const problems = document.errors.map((error) => ({
    where: lineAt(error.pos[0]),
    what: error.message.split('\n')[0] ?? '',
  }))
  const tree: unknown = problems.length > 0 ? {} : (document.toJS() ?? {})
  if (typeof tree === 'object' && !Array.isArray(tree))
    return { tree: tree as Record<string, unknown>, problems, locate }
  return { tree: {}, problems: [{ where: file, what: 'must be a mapping: see tenure.example.yaml' }], locate }
}

function wording(issue: {
  code: string
  message: string
  keys?: readonly string[]
  path: readonly PropertyKey[]
}): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown setting ${(issue.keys ?? []).map((key) => `"${key}"`).join(', ')}: see tenure.example.yaml for the names`
  }
  const setting = issue.path.filter((part) => typeof part === 'string').join('.')
  return setting === '' ? issue.message : `${setting}: ${issue.message}`
}

function checkFiles(config: Config, folder: string, where: (path: readonly PropertyKey[]) => string): Problem[] {
  const named = config.clusters.flatMap((cluster, at) => [
    { path: ['clusters', at, 'tls', 'ca'], file: cluster.tls?.ca },
    { path: ['clusters', at, 'tls', 'cert'], file: cluster.tls?.cert },
    { path: ['clusters', at, 'tls', 'key'], file: cluster.tls?.key },
    { path: ['clusters', at, 'user', 'passwordFile'], file: cluster.user?.passwordFile },
  ])
  return named.flatMap(({ path, file }) => {
    if (file === undefined) return []
    const full = isAbsolute(file) ? file : resolve(folder, file)
    try {
      accessSync(full, constants.R_OK)
      return []
    } catch {
      return [{ where: where(path), what: `cannot read ${full}: give the path of a file that this user may read` }]
    }
  })
}

/** Throws `ConfigError` with every problem at once: the file and line or the variable, and what would be right. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>, folder: string): Config {
  const named = environment.TENURE_CONFIG
  const file = resolve(folder, named || 'tenure.yaml')
  if (named && !existsSync(file)) throw new ConfigError([{ where: 'TENURE_CONFIG', what: `there is no file ${file}` }])
  const source: Source = existsSync(file) ? readFile(file) : { tree: {}, problems: [], locate: () => 'configuration' }
  const { sources, problems } = applyEnvironment(source.tree, environment)
  const where = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length -= 1) {
      const variable = sources.get(path.slice(0, length).join('.'))
      if (variable !== undefined) return variable
    }
    return source.locate(path)
  }
  const found = [...source.problems, ...problems]
  const parsed = configSchema.safeParse({ clusters: [], ...source.tree })
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
      const place = where([...issue.path, ...unknown])
      if (!problems.some((problem) => problem.where === place)) found.push({ where: place, what: wording(issue) })
    }
    throw new ConfigError(found)
  }
  found.push(...checkFiles(parsed.data, folder, where))
  if (found.length > 0) throw new ConfigError(found)
  return deepFreeze(parsed.data)
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner)
    Object.freeze(value)
  }
  return value
}
