/** Actions without clusters, which record to `audit`: for tests of this folder. */
import { steadyClock } from '../../lib/shared/clock.ts'
import { Actions } from '../actions/actions.ts'
import type { Audit } from '../history/audit.ts'

export function actionsOn(audit: Audit, logged: string[] = []): Actions {
  const write = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log = { info: write, warn: write, error: write }
  return new Actions({
    reaches: new Map(),
    audit,
    clock: steadyClock(),
    log,
    secondPerson: false,
    mayStill: () => true,
  })
}
