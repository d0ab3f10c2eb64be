/** The server below the pages, on a real etcd, with somebody who acts: for tests of this folder. */
import { join } from 'node:path'
import pino from 'pino'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import type { HandoffAction, HandoffMethod, HandoffPreflight, Operation } from '../../../lib/election/actions.ts'
import { refOf } from '../../../lib/election/ids.ts'
import type { ElectionState, Layout } from '../../../lib/election/types.ts'
import { systemClock } from '../../../lib/shared/clock.ts'
import { configSchema } from '../../config/schema.ts'
import type { AuditEntry } from '../../history/audit.ts'
import { openSqliteAudit } from '../../history/sqlite-audit.ts'
import { startRuntime } from '../../runtime.ts'
import type { Runtime } from '../../runtime-slot.ts'
import { eventually } from '../../watch/watch-for-test.ts'
import type { Caller } from '../caller.ts'
import { ANN, newOperation } from '../callers-for-test.ts'
import type { HandoffInput } from './plan.ts'

export interface Acting {
  readonly runtime: Runtime
  /** By its prefix, once it is as wanted. */
  until(prefix: string, is: (state: ElectionState) => boolean, layout?: Layout): Promise<ElectionState>
  preflight(prefix: string, action?: HandoffAction, caller?: Caller): Promise<HandoffPreflight>
  handoff(
    seen: HandoffPreflight,
    method: HandoffMethod,
    more?: Partial<HandoffInput> & { caller?: Caller },
  ): Promise<Operation>
  /** The operation once `is` holds; its end when left out. */
  follow(id: string, is?: (operation: Operation) => boolean, withinMs?: number): Promise<Operation>
  audit(id?: string): AuditEntry[]
  /** Stops and starts on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startActing(options: {
  endpoints: readonly string[]
  watch: readonly string[]
  user?: { name: string; passwordFile: string }
  /** Kept when given. */
  dataDir?: string
}): Promise<Acting> {
  const folder = options.dataDir === undefined ? makeTempFolder('acting') : undefined
  const { endpoints, watch, user } = options
  const cluster = { name: 'test', endpoints, watch, ...(user ? { user } : {}) }
  const data = options.dataDir ?? join(folder?.path ?? '', 'data')
  const config = configSchema.parse({ data, auth: 'loopback-open', probe: false, clusters: [cluster] })
  const start = () => startRuntime(config, process.cwd(), pino({ level: 'silent' }))
  let runtime = await start()
  // As an onlooker: a second connection to the same file.
  const audit = openSqliteAudit({ file: join(data, 'audit.sqlite'), clock: systemClock })
  const view = () => {
    const watcher = runtime.watchers.get('test')
    if (watcher === undefined) throw new Error('no watcher')
    return watcher.elections.view
  }
  const live = async () => {
    const is = await eventually(() => view().info.freshness === 'live' && view().elections.size >= 0, 20_000)
    if (!is) throw new Error(`not live: ${view().info.reason}`)
  }
  await live()
  const acting: Acting = {
    get runtime() {
      return runtime
    },
    until: async (prefix, is, layout = 'queue') => {
      const state = () => view().elections.get(refOf(layout, prefix))
      const found = await eventually(() => {
        const now = state()
        return now !== undefined && is(now) ? now : null
      }, 10_000)
      if (found === null) throw new Error(`not so in time: ${JSON.stringify(state())}`)
      return found
    },
    preflight: (prefix, action = 'handoff', caller = ANN) =>
      runtime.actions.preflight(caller, { cluster: 'test', ref: refOf('queue', prefix), action }),
    handoff: ({ cluster, ref, token }, method, { caller = ANN, ...more } = {}) =>
      runtime.actions.handoff(caller, {
        ...{ cluster, ref, token, method, reason: 'a test', operation: newOperation(), deadlineMs: 30_000 },
        ...more,
      }),
    follow: async (id, is = ({ outcome }) => outcome !== null && outcome.is !== 'unknown', withinMs = 30_000) => {
      const now = () => runtime.actions.operation(id)
      const found = await eventually(() => {
        const operation = now()
        return operation !== null && is(operation) ? operation : null
      }, withinMs)
      if (found === null) throw new Error(`not so within ${withinMs} ms: ${JSON.stringify(now(), null, 1)}`)
      return found
    },
    audit: (id) => audit.list({ limit: 1_000, ...(id === undefined ? {} : { operation: id }) }).entries.reverse(),
    restart: async () => {
      await runtime.stop()
      runtime = await start()
      await live()
    },
    stop: async () => {
      audit.close()
      await runtime.stop()
      folder?.remove()
    },
  }
  return acting
}

/** Everything that a write would change: the newest revision and the leases there are. */
export async function writesOf(etcdctl: (args: readonly string[]) => Promise<{ stdout: string }>): Promise<string> {
  const revision = /"revision":(\d+)/.exec((await etcdctl(['get', 'x', '-w', 'json'])).stdout)?.[1]
  return `${revision} ${(await etcdctl(['lease', 'list'])).stdout}`
}
