// node examples/settlement/worker.ts --endpoints URL,URL --ledger FILE --worker NAME --regions eu,us
// One process of the settlement service: a candidate per region, and exactly one process settles each.
// A service of its own imports from 'tenure-candidate' and 'tenure-candidate/fencing' instead.
// Each line of standard input is a command: `resign <region>`. Each line of standard output is what happened.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type Candidate, createCandidate } from '../../lib/candidate/index.ts'
import { connectEtcd } from '../../lib/etcd/connect-etcd.ts'
import { openLedger } from './ledger.ts'
import { settle } from './settle.ts'

const text = { type: 'string', default: '' } as const
const options = {
  endpoints: text,
  ledger: text,
  worker: text,
  regions: text,
  ttl: { type: 'string', default: '6' },
} as const
const { values } = parseArgs({ options })
const { TENURE_REPORTS_URL, TENURE_REPORTS_TOKEN_FILE, TENURE_CLUSTER } = process.env

const tell = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`)
const etcd = connectEtcd({ endpoints: values.endpoints.split(',') })
const candidates = new Map<string, Candidate>()
const ledger = await openLedger(values.ledger, () => {
  for (const candidate of candidates.values()) candidate.countRejection()
})
const stopping = new AbortController()

function reports() {
  if (!TENURE_REPORTS_URL || !TENURE_REPORTS_TOKEN_FILE) return {}
  const token = readFileSync(TENURE_REPORTS_TOKEN_FILE, 'utf8').trim()
  return { reports: { url: TENURE_REPORTS_URL, token, cluster: TENURE_CLUSTER ?? 'default' } }
}

function serve(region: string): Promise<void> {
  const candidate = createCandidate({
    etcd,
    election: `/elections/settlement/${region}`,
    identity: values.worker,
    ttlSeconds: Number(values.ttl),
    ...reports(),
    onTrouble: (error) => tell({ type: 'trouble', region, message: error.message }),
  })
  candidates.set(region, candidate)
  candidate.onState((state) => {
    // Its own work tells that, with the token.
    if (state !== 'leading') tell({ type: state, region })
  })
  return candidate.lead(
    async (leadership) => {
      tell({ type: 'leading', region, token: leadership.token.revision })
      // It only tells the others sooner: no reason to end the work.
      await leadership.proclaim(values.worker).catch(({ message }) => tell({ type: 'trouble', region, message }))
      await settle({ region, worker: values.worker, ledger, report: tell }, leadership)
    },
    { signal: stopping.signal },
  )
}

process.once('SIGTERM', () => stopping.abort())
process.once('SIGINT', () => stopping.abort())
process.stdout.on('error', () => process.exit(1))
const input = createInterface({ input: process.stdin })
input.on('line', (line) => {
  const [command, region = ''] = line.split(' ', 2)
  if (command === 'resign') void candidates.get(region)?.resign('asked to')
})
// Whoever started us is gone, and so must we be: without a farewell, as a crashed machine would.
input.on('close', () => process.exit(0))

try {
  await Promise.all(values.regions.split(',').map(serve))
} catch (error) {
  // What a run threw ends the process: whoever supervises it starts it again.
  console.error(error)
  process.exitCode = 1
} finally {
  etcd.close()
  ledger.close()
  process.exit()
}
