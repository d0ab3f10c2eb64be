/** What is told of kill switches, a second time and strict, as in contract-for-test.ts. */
import { z } from 'zod'
import { standingSwitch } from './contract-for-test.ts'
import { count, decimal, leaseHex, time } from './contract-parts-for-test.ts'

const forecastCandidate = z.strictObject({ identity: z.string(), keyBase64: z.base64(), acknowledges: z.boolean() })
export const switchForecast = z.strictObject({
  scope: z.string(),
  scopeBase64: z.base64(),
  match: z.enum(['exact', 'prefix']),
  typedName: z.string(),
  revision: decimal,
  standing: standingSwitch.nullable(),
  electionCount: count,
  elections: z.array(
    z.strictObject({
      ref: z.string(),
      name: z.string(),
      leader: forecastCandidate.nullable(),
      nextUp: forecastCandidate.nullable(),
      candidates: count,
      acknowledging: count,
      foreignNext: z.string().nullable(),
    }),
  ),
  candidates: count,
  acknowledging: count,
  proposes: z.enum(['cooperative', 'enforced']),
  because: z.string().min(1),
  outOfSpace: z.strictObject({ stops: z.array(z.string()), of: count }).nullable(),
})

export const switchProof = z.strictObject({
  scopeBase64: z.base64(),
  nonce: z.string().min(1),
  revision: decimal,
  mode: z.enum(['cooperative', 'enforced']),
  acknowledged: count,
  of: count,
  elections: z.array(
    z.strictObject({
      ref: z.string(),
      name: z.string(),
      held: z.boolean(),
      candidates: z.array(
        z.strictObject({
          identity: z.string(),
          lease: leaseHex.nullable(),
          state: z.enum(['stopped', 'stopping', 'cannot acknowledge']),
          hasSeat: z.boolean(),
        }),
      ),
      warnings: z.array(z.string()),
    }),
  ),
  electionCount: count,
  releaseAskedBy: z.strictObject({ name: z.string(), at: time, reason: z.string(), isYou: z.boolean() }).nullable(),
})
