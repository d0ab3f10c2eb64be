import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { findTool, provideTool, toolMissing, unpackedDir } from './find-debian-tool.ts'

const alertmanager = {
  package: 'prometheus-alertmanager',
  programs: { alertmanager: ['prometheus-alertmanager', 'alertmanager'], amtool: ['amtool'] },
  variable: 'TENURE_TEST_ALERTMANAGER_BIN',
  folder: 'alertmanager',
} as const

const SHARE = '/usr/share/prometheus/alertmanager'

/**
 * Debian's program reads its templates from a fixed place, which is empty where it was only unpacked. In the unpacked
 * copy the path is made relative, at the same length: `/usr/share/…` becomes `usr/share/…/`.
 */
function relocate(program: string): void {
  const bytes = readFileSync(program)
  const fixed = Buffer.from(SHARE)
  if (!bytes.includes(fixed)) return
  for (let at = bytes.indexOf(fixed); at >= 0; at = bytes.indexOf(fixed, at)) bytes.write(`${SHARE.slice(1)}/`, at)
  writeFileSync(`${program}.new`, bytes, { mode: 0o755 })
  renameSync(`${program}.new`, program)
}

export interface Alertmanager {
  program: string
  amtool: string
  version: string
  /** Where it has to be started; undefined where that does not matter. */
  cwd: string | undefined
}

export function findAlertmanager(): Alertmanager | undefined {
  const found = findTool(alertmanager)
  if (found === undefined) return undefined
  const { alertmanager: program, amtool } = found.programs
  const dir = unpackedDir(alertmanager)
  return { program, amtool, version: found.version, cwd: program.startsWith(dir) ? dir : undefined }
}

/** Why there is none here to test with; undefined when there is one. */
export const alertmanagerMissing = () => toolMissing(alertmanager)

export async function provideAlertmanager(): Promise<string> {
  const provided = await provideTool(alertmanager)
  const found = findAlertmanager()
  if (found?.cwd !== undefined) relocate(found.program)
  return provided
}
