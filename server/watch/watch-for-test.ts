/** A watcher on a real etcd with an in-memory history, for tests of this folder. */

import type { ElectionShape } from '../../lib/election/describe.ts'
import { electionShape } from '../../lib/election/describe.ts'
import { refOf } from '../../lib/election/ids.ts'
import type { LayoutPattern } from '../../lib/election/layouts.ts'
import type { ElectionState, Layout } from '../../lib/election/types.ts'
import { EtcdClient } from '../../lib/etcd/client.ts'
import type { CredentialFiles } from '../../lib/etcd/credentials.ts'
import { instant, steadyClock } from '../../lib/shared/clock.ts'
import { FakeHistory } from '../history/fake-history.ts'
import type { History } from '../history/history.ts'
import { ClusterWatcher } from './cluster-watcher.ts'
import { Hub } from './hub.ts'

export interface Watching {
  watcher: ClusterWatcher
  history: FakeHistory
  hub: Hub
  logged: string[]
  state(prefix: string, layout?: Layout): ElectionState | undefined
  shape(prefix: string, layout?: Layout): ElectionShape | undefined
  /** The state once `is` holds; rejects with the last one after `withinMs`. */
  until(
    prefix: string,
    is: (state: ElectionState) => boolean,
    withinMs?: number,
    layout?: Layout,
  ): Promise<ElectionState>
  live(): Promise<void>
  stop(): Promise<void>
}

/** Prefixes are latin1 and end as etcd has them. */
export function startWatching(options: {
  endpoints: readonly string[]
  watch: readonly string[]
  layouts?: readonly LayoutPattern[]
  probe?: boolean
  metrics?: ConstructorParameters<typeof ClusterWatcher>[0]['metrics']
  history?: FakeHistory
  /** Written to instead of `history`. */
  store?: History
  credentials?: CredentialFiles
  readOnly?: boolean
  /** What Tenure itself ends. */
  whyEnded?: ConstructorParameters<typeof ClusterWatcher>[0]['whyEnded']
}): Watching {
  const clock = steadyClock()
  const history = options.history ?? new FakeHistory(clock)
  const hub = new Hub({ clock, bootId: 'test', build: 'test' })
  const etcd = new EtcdClient({
    endpoints: options.endpoints,
    ...(options.credentials ? { credentials: options.credentials } : {}),
  })
  const logged: string[] = []
  const write = (fields: object, message: string) => logged.push(`${message} ${JSON.stringify(fields)}`)
  const watcher = new ClusterWatcher({
    name: 'test',
    watch: options.watch,
    metaPrefix: '/tenure/',
    layouts: options.layouts ?? [],
    readOnly: options.readOnly ?? false,
    probe: options.probe ?? false,
    etcd,
    history: options.store ?? history,
    hub,
    clock,
    log: { info: write, warn: write, error: write },
    ...(options.metrics ? { metrics: options.metrics } : {}),
    ...(options.whyEnded ? { whyEnded: options.whyEnded } : {}),
  })
  const { view } = watcher.elections
  const state = (prefix: string, layout: Layout = 'queue') => view.elections.get(refOf(layout, prefix))
  watcher.start()
  return {
    watcher,
    history,
    hub,
    logged,
    state,
    shape: (prefix, layout) => {
      const found = state(prefix, layout)
      return found && electionShape(found, view.nameOf(found), view.info, instant(clock.nowMs()))
    },
    until: async (prefix, is, withinMs = 10_000, layout = 'queue') => {
      const found = await eventually(() => {
        const now = state(prefix, layout)
        return now !== undefined && is(now) ? now : null
      }, withinMs)
      if (found === null) {
        const now = JSON.stringify(state(prefix, layout))
        throw new Error(`not so within ${withinMs} ms: ${now}\n${view.info.reason}\n${logged.join('\n')}`)
      }
      return found
    },
    live: async () => {
      if (!(await eventually(() => view.info.freshness === 'live'))) throw new Error(`not live: ${view.info.reason}`)
    },
    stop: async () => {
      hub.stop()
      await watcher.stop()
      etcd.close()
    },
  }
}

/** Asks again and again until there is an answer; null when there never is. */
type Asked<T> = T | null | undefined | false

export async function eventually<T>(ask: () => Asked<T> | Promise<Asked<T>>, withinMs = 10_000): Promise<T | null> {
  const until = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > until) return null
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
