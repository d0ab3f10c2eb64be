import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from './paths.mjs'
import { runLogged } from './run-logged.mjs'
import { runningHere } from './running.mjs'

const folders = ['app', 'components', 'lib', 'public', 'server']
const files =
  /^(package-lock\.json|next\.config\.\w+|tsconfig\.json|postcss\.config\.\w+|proxy\.ts|middleware\.ts|instrumentation\.ts)$/
const isTest = /\.test\.tsx?$/
const stampFile = join(rootDir, '.next', 'tenure-built')

function addFolder(hash: Hash, folder: string): void {
  const path = join(rootDir, folder)
  if (!existsSync(path)) return
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const inner = join(folder, entry.name)
    if (entry.isDirectory()) addFolder(hash, inner)
    else if (!isTest.test(entry.name)) addFile(hash, inner)
  }
}

function addFile(hash: Hash, file: string): void {
  const content = readFileSync(join(rootDir, file))
  hash.update(`${file}\0${content.length}\0`).update(content)
}

function sourcesHash(): string {
  const hash = createHash('sha256').update(process.version)
  for (const folder of folders) addFolder(hash, folder)
  for (const name of readdirSync(rootDir).sort()) if (files.test(name)) addFile(hash, name)
  return hash.digest('hex')
}

const isBuilt = (hash: string) => existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === hash

/** `next build`, only when something it reads has changed since the last one. */
export async function buildWhenChanged(): Promise<string> {
  const hash = sourcesHash()
  if (isBuilt(hash)) return 'up to date'
  const running = runningHere()
  await runLogged(process.execPath, [join(rootDir, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
    log: 'build',
    cwd: rootDir,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  writeFileSync(stampFile, `${hash}\n`)
  if (running.length === 0) return 'built'
  return `built; restart the server that runs (pid ${running.map(({ pid }) => pid).join(', ')})`
}
