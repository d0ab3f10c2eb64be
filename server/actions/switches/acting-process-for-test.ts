/**
 * A server of its own that engages and releases when it is told to, and is killed meanwhile.
 * Argument: `ActingOptions` as JSON, with a folder. Each line of standard input is `engage <operation>` or
 * `release <operation> <nonce>`, of everything below jobs/; each line of standard output says what it is about to do.
 */
import { createInterface } from 'node:readline'
import { base64FromLatin1 } from '../../../lib/shared/bytes.ts'
import { type ActingOptions, ANN, BEN, inMs, startActing } from './act-for-test.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as ActingOptions & { folder: string }
const tell = (line: string) => process.stdout.write(`${line}\n`)
const scope = { cluster: 'test', scopeBase64: base64FromLatin1('jobs/') }
const { actions } = await startActing(options, options.folder)
tell('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const [order, operation = '', nonce = ''] = line.split(' ')
  tell(line)
  const common = { ...scope, reason: 'bad data', typedName: 'jobs/', operation }
  if (order === 'engage') {
    await actions.engageSwitch(BEN, { ...common, match: 'prefix', mode: 'enforced', until: inMs(3_600_000) })
  } else if (order === 'release') await actions.releaseSwitch(ANN, { ...common, nonce })
  tell('done')
}
