/** Reads `tenure.yaml` and the environment once; the only reader of either. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { applyEnvironment, type Problem } from './environment.ts'
import { problemsOf } from './problems.ts'
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
    what: (error.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:$/, ''),
  }))
  const tree: unknown = problems.length > 0 ? {} : (document.toJS() ?? {})
  if (typeof tree === 'object' && !Array.isArray(tree))
    return { tree: tree as Record<string, unknown>, problems, locate }
  return { tree: {}, problems: [{ where: file, what: 'must be a mapping: see tenure.example.yaml' }], locate }
}

const FILES = [
  ['tls', 'ca'],
  ['tls', 'cert'],
  ['tls', 'key'],
  ['user', 'passwordFile'],
] as const

type Path = readonly (string | number)[]

/** Of channels for alerts, every setting that names a file, whatever their type. */
function channelFiles(tree: Readonly<Record<string, unknown>>): Path[] {
  const { channels } = (tree.alerts ?? {}) as { channels?: unknown }
  if (!Array.isArray(channels)) return []
  return channels.flatMap((channel: unknown, at) =>
    Object.keys(channel ?? {})
      .filter((name) => name.endsWith('File'))
      .map((name) => ['alerts', 'channels', at, name]),
  )
}

/** Works on the raw tree, so that an unreadable file is told together with everything else. */
function checkFiles(tree: Readonly<Record<string, unknown>>, folder: string, locate: Source['locate']): Problem[] {
  const clusters: unknown[] = Array.isArray(tree.clusters) ? tree.clusters : []
  const paths = clusters.flatMap((_, at) => FILES.map(([group, name]) => ['clusters', at, group, name]))
  const others = [['reports', 'tokenFile'], ['metrics', 'tokenFile'], ['authSecretFile'], ['oidc', 'clientSecretFile']]
  return [...paths, ...others, ...channelFiles(tree)].flatMap((path) => {
    const file = path.reduce<unknown>(
      (tree, key) => (tree as Record<string | number, unknown> | null | undefined)?.[key],
      tree,
    )
    if (typeof file !== 'string' || file === '') return []
    const full = isAbsolute(file) ? file : resolve(folder, file)
    try {
      accessSync(full, constants.R_OK)
      return []
    } catch {
      return [{ where: locate(path), what: `cannot read ${full}: give the path of a file that this user may read` }]
    }
  })
}

/** By file and line; the variables come first. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const line = ({ where }: Problem) => Number(/:(\d+)$/.exec(where)?.[1] ?? 0)
  return [...problems].sort((a, b) => line(a) - line(b))
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
  // What could not be read as YAML says nothing about the settings in it.
  if (source.problems.length > 0) throw new ConfigError(source.problems)
  const told = new Set(problems.map((problem) => problem.where))
  const found = problemsOf(source.tree, where).filter((problem) => !told.has(problem.where))
  const all = [...problems, ...found, ...checkFiles(source.tree, folder, where)]
  if (all.length > 0) throw new ConfigError(inOrder(all))
  return deepFreeze(configSchema.parse({ clusters: [], ...source.tree }))
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner)
    Object.freeze(value)
  }
  return value
}
