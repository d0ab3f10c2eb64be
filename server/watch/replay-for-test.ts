/** A log of all that came from a real cluster, and history made of it again by the same reducer and the same store. */
import type { Stop } from '../../lib/election/stops.ts'
import type { Gap } from '../../lib/election/types.ts'
import type { Clock, Instant } from '../../lib/shared/clock.ts'
import { dump } from '../history/dump-for-test.ts'
import type { AliveMark, History } from '../history/history.ts'
import { openSqliteHistory } from '../history/sqlite-history.ts'
import { ElectionIndex, type RoutedChange } from './election-index.ts'
import { Elections } from './elections.ts'
import { Hub } from './hub.ts'
import { emptyInfo, type WatcherOptions } from './watcher-options.ts'

/** One thing that reached history, and when. */
export type Logged = { ms: number } & (
  | { type: 'started'; now: Instant }
  | { type: 'changes'; changes: readonly RoutedChange[] }
  | { type: 'gap'; gap: Gap }
  | { type: 'stops'; stops: readonly Stop[] }
  | { type: 'alive'; mark: AliveMark }
)

export const CLUSTER = 'test'
const META = '/tenure/'

/** Stands at the time of the entry that is at work. */
export class LogClock implements Clock {
  ms = 0
  nowMs(): number {
    return this.ms
  }
  monoMs(): number {
    return performance.now()
  }
}

function electionsOn(history: History, clock: Clock, hub: Hub): Elections {
  const unused = undefined as never
  const options: WatcherOptions = {
    name: CLUSTER,
    watch: ['/elections/'],
    metaPrefix: META,
    layouts: [],
    readOnly: false,
    probe: false,
    etcd: unused,
    hub: unused,
    log: unused,
    history,
    clock,
  }
  return new Elections({
    info: emptyInfo(options),
    index: new ElectionIndex([], META),
    history,
    hub,
    clock,
    onPending: () => {},
  })
}

/** Writes a fresh history into `file`; the store is closed and opened where the log says that Tenure was started. */
export async function replay(log: readonly Logged[], file: string): Promise<string> {
  const clock = new LogClock()
  const hub = new Hub({ clock, bootId: 'replay', build: 'replay' })
  let history: History | null = null
  let elections: Elections | null = null
  for (const entry of log) {
    clock.ms = entry.ms
    if (entry.type === 'started') {
      await history?.close()
      history = openSqliteHistory({ file, clock })
      elections = electionsOn(history, clock, hub)
      await history.load(CLUSTER, entry.now)
      continue
    }
    if (history === null || elections === null) throw new Error('the log does not begin with a start')
    if (entry.type === 'changes') elections.publish(entry.changes)
    else if (entry.type === 'gap') history.recordGap(CLUSTER, entry.gap)
    else if (entry.type === 'stops') history.recordStops(CLUSTER, entry.stops)
    else history.alive(CLUSTER, entry.mark)
  }
  await history?.close()
  hub.stop()
  return dump(file)
}

export const written = (log: readonly Logged[]): string => log.map((entry) => `${JSON.stringify(entry)}\n`).join('')
export const readLog = (text: string): Logged[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Logged)
