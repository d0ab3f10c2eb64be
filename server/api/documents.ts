/** Documents of `docs/` that have a page: the runbook of each alert, and what these point to. */
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { ALERT_RULES } from '../../lib/election/alerts.ts'
import type { Runtime } from '../runtime-slot.ts'

const RUNBOOKS = 'docs/runbooks'
/** Of these, `/runbooks/<name>` shows `docs/<name>.md`. */
const BESIDE = ['break-glass', 'candidate', 'fencing', 'permissions', 'serving'] as const
/** The page at `/runbooks` itself. */
export const OVERVIEW = 'README'

/** By what stands in the address, the file from the root of the repository. */
const FILES: ReadonlyMap<string, string> = new Map([
  [OVERVIEW, `${RUNBOOKS}/${OVERVIEW}.md`],
  ...ALERT_RULES.map((rule) => [rule, `${RUNBOOKS}/${rule}.md`] as const),
  ...BESIDE.map((name) => [name, `docs/${name}.md`] as const),
])
const NAMES: ReadonlyMap<string, string> = new Map([...FILES].map(([name, file]) => [file, name]))

export interface Document {
  /** From the root of the repository. */
  file: string
  /** Markdown. */
  text: string
}

/** null: there is no such page. It is read each time, from the disk alone: etcd may be away. */
export async function readDocument({ root }: Pick<Runtime, 'root'>, name: string): Promise<Document | null> {
  const file = FILES.get(name)
  return file === undefined ? null : { file, text: await readFile(join(root, file), 'utf8') }
}

export type LinkTarget = { page: string } | { elsewhere: string } | { file: string }

/** Where a link in a document leads: to a page here, to another site, or to a file that has no page. */
export function linkTarget(from: string, href: string): LinkTarget {
  if (href.startsWith('#')) return { page: href }
  if (/^https?:\/\//.test(href)) return { elsewhere: href }
  const [path = '', anchor] = href.split('#')
  const file = posix.join(posix.dirname(from), path)
  const name = NAMES.get(file)
  if (name === undefined) return { file }
  const page = name === OVERVIEW ? '/runbooks' : `/runbooks/${name}`
  return { page: anchor === undefined ? page : `${page}#${anchor}` }
}
