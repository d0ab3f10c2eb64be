/** What every `History` does; run by the tests of each implementation. */
import { describe, expect, it } from 'vitest'
import { annotationsContract } from './annotations-contract.ts'
import { conditionsContract } from './conditions-contract.ts'
import { eventsContract, renewalsContract } from './events-contract.ts'
import { type Harness, withHarness } from './fixtures.ts'
import { pastContract } from './past-contract.ts'
import { restartContract } from './restart-contract.ts'
import { stopsContract } from './stops-contract.ts'
import { gapsContract, termsContract } from './terms-contract.ts'
import { transitionsContract } from './transitions-contract.ts'

export function historyContract(name: string, open: () => Promise<Harness>): void {
  const withHistory = withHarness(open)
  describe(name, () => {
    termsContract(withHistory)
    gapsContract(withHistory)
    transitionsContract(withHistory)
    eventsContract(withHistory)
    stopsContract(withHistory)
    pastContract(withHistory)
    annotationsContract(withHistory)
    conditionsContract(withHistory)
    restartContract(withHistory)
    renewalsContract(withHistory)

    it(
      'says that it is well',
      withHistory(async ({ history }) => {
        expect(await history.flush()).toEqual({ ok: true })
        expect(history.state()).toEqual({ ok: true })
      }),
    )
  })
}
