/** The promised shapes of the past (docs/api.md), written a second time and strict. */
import { z } from 'zod'
import { cluster, event, gap, standingSwitch, state, stop } from './contract-for-test.ts'
import { time } from './contract-parts-for-test.ts'

const record = standingSwitch.shape.record.unwrap().omit({ until: true, mode: true })
const pastSwitch = standingSwitch.extend({ record: record.nullable() })

export const clustersAsOf = z.strictObject({
  serverTime: time,
  at: time,
  clusters: z.array(
    z.strictObject({
      info: cluster.extend({ switches: z.array(pastSwitch).optional() }),
      elections: z.array(state),
      keptSince: time.nullable(),
    }),
  ),
})

const change = z.discriminatedUnion('type', [
  z.strictObject({ cluster: z.string(), type: z.literal('election'), ref: z.string(), event }),
  z.strictObject({ cluster: z.string(), type: z.enum(['gap-began', 'gap-ended']), gap }),
  z.strictObject({ cluster: z.string(), type: z.enum(['stop-began', 'stop-ended']), stop }),
])

export const clustersStep = z.strictObject({
  serverTime: time,
  moment: z.strictObject({ at: time, changes: z.array(change).min(1).max(1_000) }).nullable(),
})
