/** Environment variables that stand in for, or win over, `tenure.yaml`. */

export interface Problem {
  /** File with line, or the variable. */
  where: string
  what: string
}

type Environment = Readonly<Record<string, string | undefined>>
type Tree = Record<string, unknown>

const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const flag = (text: string) =>
  /^(1|true|on|yes)$/i.test(text) ? true : /^(0|false|off|no)$/i.test(text) ? false : text
const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)

/** variable → where it goes and how it is read. */
const SETTINGS: Readonly<Record<string, { path: readonly string[]; read: (text: string) => unknown }>> = {
  TENURE_HOST: { path: ['host'], read: String },
  PORT: { path: ['port'], read: number },
  TENURE_PUBLIC_URL: { path: ['publicUrl'], read: String },
  TENURE_TRUSTED_PROXIES: { path: ['trustedProxies'], read: list },
  TENURE_DATA: { path: ['data'], read: String },
  TENURE_AUTH: { path: ['auth'], read: String },
  TENURE_ANONYMOUS_VIEWING: { path: ['anonymousViewing'], read: flag },
  TENURE_AUTH_SECRET_FILE: { path: ['authSecretFile'], read: String },
  TENURE_META_PREFIX: { path: ['metaPrefix'], read: String },
  TENURE_PROBE: { path: ['probe'], read: flag },
  TENURE_REPORTS_TOKEN_FILE: { path: ['reports', 'tokenFile'], read: String },
  TENURE_METRICS_TOKEN_FILE: { path: ['metrics', 'tokenFile'], read: String },
  TENURE_METRICS_PORT: { path: ['metrics', 'port'], read: number },
  TENURE_METRICS_HOST: { path: ['metrics', 'host'], read: String },
  TENURE_LOG_LEVEL: { path: ['logLevel'], read: String },
}

const CLUSTER: Readonly<Record<string, { path: readonly string[]; read: (text: string) => unknown }>> = {
  TENURE_CLUSTER: { path: ['name'], read: String },
  TENURE_ETCD_ENDPOINTS: { path: ['endpoints'], read: list },
  TENURE_WATCH: { path: ['watch'], read: list },
  TENURE_ETCD_CA: { path: ['tls', 'ca'], read: String },
  TENURE_ETCD_CERT: { path: ['tls', 'cert'], read: String },
  TENURE_ETCD_KEY: { path: ['tls', 'key'], read: String },
  TENURE_ETCD_USER: { path: ['user', 'name'], read: String },
  TENURE_ETCD_PASSWORD_FILE: { path: ['user', 'passwordFile'], read: String },
  TENURE_READ_ONLY: { path: ['readOnly'], read: flag },
}

function put(tree: Tree, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) tree[first] = value
  else {
    const inner = (tree[first] ?? {}) as Tree
    tree[first] = inner
    put(inner, rest, value)
  }
}

/** Read elsewhere: by the loader itself, the tests and the benches. */
const OTHERS = /^TENURE_(CONFIG$|TEST_|BENCH_|SOAK_)/

const bare = (name: string) => name.replaceAll('_', '').replace(/S$/, '')

/** A misspelled variable must not be taken for an absent one: it may be the one that makes a cluster read-only. */
function unknownVariables(environment: Environment): Problem[] {
  const names = [...Object.keys(SETTINGS), ...Object.keys(CLUSTER)]
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('TENURE_') && !names.includes(name) && !OTHERS.test(name),
  )
  return unknown.map((where) => {
    const meant = names.find((name) => bare(name) === bare(where))
    const what = meant
      ? `no such variable: did you mean ${meant}?`
      : 'no such variable: tenure.example.yaml names them all'
    return { where, what }
  })
}

export interface Applied {
  /** Path in the configuration → the variable it came from. */
  sources: ReadonlyMap<string, string>
  problems: readonly Problem[]
}

/** Lays the environment over `tree`. A cluster given by variables takes the place of the file's clusters. */
export function applyEnvironment(tree: Tree, environment: Environment): Applied {
  const sources = new Map<string, string>()
  for (const [name, { path, read }] of Object.entries(SETTINGS)) {
    const text = environment[name]
    if (text === undefined || text === '') continue
    put(tree, path, read(text))
    sources.set(path.join('.'), name)
  }
  const unknown = unknownVariables(environment)
  const given = Object.keys(CLUSTER).filter((name) => (environment[name] ?? '') !== '')
  if (given.length === 0) return { sources, problems: unknown }
  if (!given.includes('TENURE_ETCD_ENDPOINTS')) {
    const what = 'set without TENURE_ETCD_ENDPOINTS: set both, or move the setting into tenure.yaml'
    return { sources, problems: [...unknown, ...given.map((where) => ({ where, what }))] }
  }
  const cluster: Tree = { name: 'default' }
  for (const name of given) {
    const setting = CLUSTER[name]
    if (setting === undefined) continue
    put(cluster, setting.path, setting.read(environment[name] ?? ''))
    sources.set(['clusters', '0', ...setting.path].join('.'), name)
  }
  tree.clusters = [cluster]
  const watch = given.includes('TENURE_WATCH')
  if (!watch) sources.set('clusters.0.watch', 'TENURE_WATCH')
  const missing = { where: 'TENURE_WATCH', what: 'not set: name the prefixes to watch, such as /elections/,/service/' }
  return { sources, problems: watch ? unknown : [...unknown, missing] }
}
