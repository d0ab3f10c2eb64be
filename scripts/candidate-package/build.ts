/** `npm run build:candidate`: the candidate library and fencing as a folder that `npm pack` takes. */
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rootDir } from '../setup/paths.mjs'
import { StepFailed } from '../setup/step.mjs'

export const packageDir = join(rootDir, 'dist', 'candidate')

/** Used at run time by what is packed, in the versions that Tenure itself is tested with. */
const DEPENDENCIES = ['@grpc/grpc-js', 'cockatiel', 'zod']
const PEERS = ['etcd3']

/** The same text for people's code and for their types: a module of re-exports reads alike in both. */
const ENTRY = `export * from './candidate/index.js'\nexport { connectEtcd } from './etcd/connect-etcd.js'\n`

interface Manifest {
  version: string
  license: string
  dependencies: Record<string, string>
}

function manifest(): object {
  const own: Manifest = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8'))
  const pick = (names: string[]) => Object.fromEntries(names.map((name) => [name, own.dependencies[name]]))
  const entry = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` })
  return {
    name: 'tenure-candidate',
    version: own.version,
    description: 'Leader election over etcd that is fenced and fails closed',
    license: own.license,
    type: 'module',
    engines: { node: '>=22' },
    exports: { '.': entry('index'), './fencing': entry('fencing/index') },
    sideEffects: false,
    dependencies: pick(DEPENDENCIES),
    peerDependencies: pick(PEERS),
  }
}

/** The compiler rewrites the imports of code alone: those of declarations still end in `.ts`. */
function nameDeclarations(): void {
  for (const name of readdirSync(packageDir, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(packageDir, name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/((?:from|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
  }
}

export async function buildCandidate(): Promise<string> {
  rmSync(packageDir, { recursive: true, force: true })
  const tsc = join(rootDir, 'node_modules', '.bin', 'tsc')
  try {
    await promisify(execFile)(tsc, ['-p', join(rootDir, 'scripts', 'candidate-package', 'tsconfig.json')])
  } catch (error) {
    throw new StepFailed(`the candidate library does not compile:\n${(error as { stdout: string }).stdout}`)
  }
  nameDeclarations()
  for (const file of ['index.js', 'index.d.ts']) writeFileSync(join(packageDir, file), ENTRY)
  writeFileSync(join(packageDir, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  cpSync(join(rootDir, 'LICENSE'), join(packageDir, 'LICENSE'))
  cpSync(join(rootDir, 'docs', 'candidate.md'), join(packageDir, 'README.md'))
  // Linked from there.
  for (const file of ['fencing.md', 'wire-format.md']) cpSync(join(rootDir, 'docs', file), join(packageDir, file))
  return packageDir
}
