// node scripts/bench/actions/stop-crowd.ts <endpoint> <how many> <bare key>
// As many library workers, each leading an election of its own, and as many bare watchers of one key. Tells when
// all lead, when the last of a round was aborted, and when the last watcher saw a put.
import { machineMs } from '../../../e2e/harness/machine-clock.ts'
import { connect } from '../../../e2e/harness/raw-etcd.ts'
import { createCandidate } from '../../../lib/candidate/index.ts'
import { connectEtcd } from '../../../lib/etcd/connect-etcd.ts'
import { tell } from '../load/child.ts'

const [endpoint = '', many = '1', bareKey = ''] = process.argv.slice(2)
const all = Number(many)
const etcd = connectEtcd({ endpoints: [endpoint] })
let leading = 0

function ended(): void {
  leading -= 1
  if (leading === 0) tell({ abortedMs: machineMs() })
}

for (let n = 0; n < all; n += 1) {
  const work = ({ signal }: { signal: AbortSignal }) => {
    leading += 1
    if (leading === all) tell({ led: leading })
    return new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        ended()
        resolve()
      })
    })
  }
  void createCandidate({ etcd, election: `/elections/bench/stop/${n}`, identity: `worker-${n}`, ttlSeconds: 10 }).lead(
    work,
  )
}

let saw = 0
for (let n = 0; n < all; n += 1) {
  const stream = await connect([endpoint]).watchClient.watch()
  stream.on('data', ({ created, events }: { created?: boolean; events: readonly unknown[] }) => {
    if (!created && events.length === 0) return
    saw += 1
    if (saw % all !== 0) return
    tell(saw === all ? { watching: all } : { sawMs: machineMs() })
  })
  stream.write({ create_request: { key: Buffer.from(bareKey) } } as never)
}
