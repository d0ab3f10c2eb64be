import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { workDir } from './paths.mjs'
import { runLogged } from './run-logged.mjs'
import { StepFailed } from './step.mjs'

export interface Unpacking {
  packages: readonly string[]
  /** Folder that gets `usr/bin` and so on. */
  into: string
  /** Begins the names of the log files. */
  log: string
  remedy?: string
  /** Another suite than the one this machine runs, such as trixie. */
  suite?: string
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const isOnPath = (command: string) =>
  (process.env.PATH ?? '').split(delimiter).some((dir) => isExecutable(join(dir, command)))

export const hasApt = () => isOnPath('apt-get') && isOnPath('dpkg-deb')

/** The archive this machine takes Debian's packages from, so that no address is written down here. */
function debianArchive(): string {
  const format = ['--format', '$(ORIGIN)|$(REPO_URI)', 'Created-By: Packages']
  const targets = execFileSync('apt-get', ['indextargets', ...format], { encoding: 'utf8' }).split('\n')
  const found = targets
    .map((line) => line.split('|'))
    .find(([origin, at]) => origin === 'Debian' && !at?.includes('security'))
  if (found?.[1] === undefined) throw new StepFailed('apt-get knows no archive of Debian')
  return found[1]
}

// The sandbox user would not be allowed to write below a private checkout.
const SANDBOX = ['-o', 'APT::Sandbox::User=root']

/** Package lists in a folder of our own: works without root and on images that ship none. */
function ownLists(apt: string, suite: string | undefined): string[] {
  for (const each of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, each), { recursive: true })
  const settings: Record<string, string> = { 'Dir::State::lists': join(apt, 'lists'), 'Dir::Cache': join(apt, 'cache') }
  if (suite !== undefined) {
    const sources = join(apt, 'sources.list')
    const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
    writeFileSync(sources, `deb [signed-by=${keyring}] ${debianArchive()} ${suite} main\n`)
    Object.assign(settings, { 'Dir::Etc::sourcelist': sources, 'Dir::Etc::sourceparts': '-' })
  }
  return [...SANDBOX, ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])]
}

async function download({ packages, log, remedy, suite }: Unpacking, folder: string): Promise<void> {
  const fetch = (options: readonly string[]) =>
    runLogged('apt-get', [...options, 'download', ...packages], {
      log: `${log}-download`,
      cwd: folder,
      ...(remedy ? { remedy } : {}),
    })
  const withOwnLists = async () => {
    const options = ownLists(join(folder, 'apt'), suite)
    await runLogged('apt-get', [...options, 'update'], { log: `${log}-update`, ...(remedy ? { remedy } : {}) })
    await fetch(options)
  }
  if (suite !== undefined) await withOwnLists()
  else await fetch(SANDBOX).catch(withOwnLists)
}

/**
 * What apt-get would install for a package on this machine, itself and all it needs: libraries that are here
 * already are not among them.
 */
export async function missingPackages(name: string, log: string): Promise<string[]> {
  const simulate = (options: readonly string[]) => {
    const args = [...options, '--simulate', 'install', '--no-install-recommends', name]
    const output = execFileSync('apt-get', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return [...output.matchAll(/^Inst (\S+)/gm)].map(([, found = '']) => found)
  }
  try {
    return simulate([])
  } catch {
    const options = ownLists(join(workDir, `${log}-packages`, 'apt'), undefined)
    await runLogged('apt-get', [...options, 'update'], { log: `${log}-update` })
    return simulate(options)
  }
}

/** Unpacks Debian's packages into an ignored folder: needs no root and starts no service. */
export async function unpackDebian(unpacking: Unpacking): Promise<void> {
  const folder = join(workDir, `${unpacking.log}-packages`)
  mkdirSync(folder, { recursive: true })
  await download(unpacking, folder)
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    const args = ['-x', join(folder, file), unpacking.into]
    await runLogged('dpkg-deb', args, {
      log: `${unpacking.log}-unpack`,
      ...(unpacking.remedy ? { remedy: unpacking.remedy } : {}),
    })
  }
  rmSync(folder, { recursive: true, force: true })
}
