// node scripts/bench/candidate/crowd.ts <endpoints> <elections> <candidates each> <TTL>
// Many candidates in one process, over one client; tells once every election has a leader.
import { createCandidate } from '../../../lib/candidate/index.ts'
import { connectEtcd } from '../../../lib/etcd/connect-etcd.ts'
import { tell } from '../load/child.ts'

const [endpoints = '', elections = '1', each = '1', ttl = '30'] = process.argv.slice(2)
const etcd = connectEtcd({ endpoints: endpoints.split(',') })
const led = new Set<number>()

for (let election = 0; election < Number(elections); election += 1) {
  for (let nth = 0; nth < Number(each); nth += 1) {
    const options = { etcd, election: `bench/crowd/${election}`, identity: `crowd-${nth}`, ttlSeconds: Number(ttl) }
    const work = ({ signal }: { signal: AbortSignal }) => {
      led.add(election)
      if (led.size === Number(elections)) tell({ led: led.size })
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    }
    void createCandidate(options).lead(work)
  }
}
