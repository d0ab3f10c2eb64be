/** Servers that only tests need: found, or fetched where this is Debian, or named as missing. */
import { execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { hasApt, isExecutable, unpackDebian } from './debian.ts'
import { workDir } from './paths.mjs'

export interface DebianTool<Program extends string> {
  /** Debian's package. It must need no library that is not on every machine. */
  package: string
  /** The names that each program goes by, Debian's and its makers'. The first program is asked for its version. */
  programs: Readonly<Record<Program, readonly string[]>>
  /** Environment variable that names a folder to look in, and nowhere else. */
  variable: string
  /** Folder of `.tenure` that it is unpacked into. */
  folder: string
}

export interface FoundTool<Program extends string> {
  programs: Readonly<Record<Program, string>>
  /** As the program says, for example `0.25.0`. */
  version: string
}

export const unpackedDir = ({ folder }: DebianTool<string>) => join(workDir, folder)

function searchDirs(tool: DebianTool<string>): string[] {
  const chosen = process.env[tool.variable]
  if (chosen) return [chosen]
  const path = (process.env.PATH ?? '').split(delimiter).filter((dir) => dir !== '')
  return [...path, join(unpackedDir(tool), 'usr', 'bin')]
}

/** Undefined when it does not run. Some write their version to the standard error. */
function versionOf(program: string): string | undefined {
  try {
    const output = execFileSync('sh', ['-c', '"$0" --version 2>&1', program], { encoding: 'utf8' })
    return /version v?(\d\S*)/.exec(output)?.[1] ?? 'unknown'
  } catch {
    return undefined
  }
}

/** In the folder of its variable alone when that is set, else on the PATH, else in what was unpacked here. */
export function findTool<Program extends string>(tool: DebianTool<Program>): FoundTool<Program> | undefined {
  for (const dir of searchDirs(tool)) {
    const found = Object.entries<readonly string[]>(tool.programs).map(([program, names]) => {
      const file = names.map((name) => join(dir, name)).find(isExecutable)
      return [program, file] as const
    })
    const [first] = found
    if (first?.[1] === undefined || found.some(([, file]) => file === undefined)) continue
    const version = versionOf(first[1])
    if (version !== undefined) return { programs: Object.fromEntries(found) as Record<Program, string>, version }
  }
  return undefined
}

/** Why it is not here, for the name of what is skipped; undefined when it is. */
export function toolMissing<Program extends string>(tool: DebianTool<Program>): string | undefined {
  if (findTool(tool)) return undefined
  const names = Object.values<readonly string[]>(tool.programs).map(([name]) => name)
  const chosen = process.env[tool.variable]
  return `no ${names.join(' and ')} ${chosen ? `in ${chosen}` : `on the PATH or in ${tool.variable}`}`
}

/** The same, unpacked where this is Debian. The product does without it: suites that need it are skipped by name. */
export async function provideTool<Program extends string>(tool: DebianTool<Program>): Promise<string> {
  const found = findTool(tool)
  if (found) return `${found.version} (${Object.values<string>(found.programs)[0]})`
  let reason = toolMissing(tool)
  if (hasApt() && !process.env[tool.variable]) {
    const unpacking = { packages: [tool.package], into: unpackedDir(tool), log: tool.folder }
    await unpackDebian(unpacking).catch((error: Error) => {
      reason = error.message.split('\n')[0] ?? reason
    })
  }
  const unpacked = findTool(tool)
  return unpacked ? `${unpacked.version} (Debian's package, unpacked)` : `none: its tests are skipped (${reason})`
}
