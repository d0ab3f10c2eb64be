/**
 * The peer: one raw etcd3 watch that looks for marks.
 * Arguments: endpoint, prefix, first revision, marks, file for the times. Tells when it watches, and
 * when it has seen the last mark.
 */
import { writeFileSync } from 'node:fs'
import { connect } from '../../../e2e/harness/raw-etcd.ts'
import { prefixEnd } from '../../../examples/workers/etcd-client.ts'
import { tell, told } from './child.ts'
import { marksIn, sharedMs } from './marks.ts'

const [, , endpoint = '', prefix = '', start_revision = '0', marks = '0', timesFile = ''] = process.argv
const seen = new Float64Array(Number(marks)).fill(Number.NaN)
const startedMs = sharedMs()
const stream = await connect([endpoint]).watchClient.watch()
stream.on('error', (error: Error) => {
  process.stderr.write(`raw watch: ${error.message}\n`)
  process.exit(1)
})
stream.on('data', ({ created, events }) => {
  const now = sharedMs()
  if (created) tell('watching')
  for (const { kv } of events) {
    for (const mark of marksIn(kv.value.toString('latin1'))) {
      if (Number.isNaN(seen[mark])) seen[mark] = now
      if (mark === seen.length - 1) tell({ tookMs: now - startedMs })
    }
  }
})
const key = Buffer.from(prefix)
stream.write({ create_request: { key, range_end: prefixEnd(key), start_revision } } as never)
await told()
writeFileSync(timesFile, Buffer.from(seen.buffer))
tell('stopped')
process.exit(0)
