/** The commands of a page of the documentation, run as somebody would who follows it. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import type { EtcdCluster } from './etcd.ts'
import { envWithoutEtcd } from './etcd-member.ts'

/** Fenced as `sh`, each with a name of its own after it. */
export function shellBlocks(markdownFile: string): ReadonlyMap<string, string> {
  const blocks = new Map<string, string>()
  for (const [, name = '', text = ''] of readFileSync(markdownFile, 'utf8').matchAll(
    /^```sh (\S+)\n([\s\S]*?)^```$/gm,
  )) {
    if (blocks.has(name)) throw new Error(`${markdownFile} has two blocks named ${name}`)
    blocks.set(name, text)
  }
  return blocks
}

export interface ShellResult {
  code: number
  stdout: string
  stderr: string
}

/** One bash that stops at the first command that fails. `variables` is added to its environment. */
export function runShell(
  etcd: EtcdCluster,
  script: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<ShellResult> {
  const { PATH = '', ...env } = envWithoutEtcd()
  const path = `${dirname(etcd.binaries.etcdctl)}${delimiter}${PATH}`
  const options = { env: { ...env, PATH: path, ...variables }, timeout: 20_000 }
  return new Promise((resolve) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout, stderr })
    })
  })
}
