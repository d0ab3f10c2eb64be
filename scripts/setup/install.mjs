import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { rootDir } from './paths.mjs'
import { runLogged } from './run-logged.mjs'
import { runningHere } from './running.mjs'
import { StepFailed } from './step.mjs'

const lockFile = join(rootDir, 'package-lock.json')
const modulesDir = join(rootDir, 'node_modules')
const stampFile = join(modulesDir, '.tenure-installed')

const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** What npm itself says is installed, against the lock: someone's own `npm ci` is as good as ours. */
function installedByHand(lockText) {
  const hidden = readText(join(modulesDir, '.package-lock.json'))
  if (hidden === '') return false
  const installed = JSON.parse(hidden).packages
  return Object.entries(JSON.parse(lockText).packages).every(
    ([path, wanted]) => path === '' || wanted.optional || installed[path]?.version === wanted.version,
  )
}

/** `npm ci` replaces `node_modules/.bin/node`: it must not run on that copy. */
function pathWithoutOwnBin() {
  const ownBin = join(modulesDir, '.bin')
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => dir !== ownBin)
    .join(delimiter)
}

/** Installs the locked packages when the lock file is not the one that was installed last. */
export async function installPackages() {
  const lockText = readText(lockFile)
  if (lockText === '')
    throw new StepFailed('package-lock.json is missing: restore it with `git checkout package-lock.json`.')
  const hash = createHash('sha256').update(lockText).digest('hex')
  if (readText(stampFile).trim() === hash) return 'up to date'
  if (installedByHand(lockText)) {
    writeFileSync(stampFile, `${hash}\n`)
    return 'up to date (installed with npm)'
  }
  const running = runningHere()
  if (running.length > 0) {
    const who = running.map(({ pid, file }) => `pid ${pid} (${relative(rootDir, file)})`).join(', ')
    throw new StepFailed(
      `The packages changed, but Tenure runs from this folder: ${who}. Stop it first, then start again.`,
    )
  }
  await runLogged('npm', ['ci', '--no-audit', '--no-fund'], {
    log: 'install',
    cwd: rootDir,
    env: { ...process.env, PATH: pathWithoutOwnBin() },
    remedy: 'Remedy: check the network and run `npm ci` by hand.',
  })
  writeFileSync(stampFile, `${hash}\n`)
  return 'installed'
}
