import type { Verb } from '../../lib/election/policy.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import type { Audit } from '../history/audit.ts'
import type { Log } from '../watch/log.ts'
import type { HoldKeeper } from './holding/hold-keeper.ts'
import type { Operations } from './operations.ts'
import type { Reach } from './reach.ts'
import type { Recorder } from './recorder.ts'
import type { ReleaseRequests } from './switches/release-requests.ts'

/** What every verb is given. */
export interface ActionParts {
  reaches: ReadonlyMap<string, Reach>
  audit: Audit
  recorder: Recorder
  operations: Operations
  clock: Clock
  log: Log
  /** A release waits for a second person. */
  secondPerson: boolean
  /** Whether this person, by what is known of people now, may do this. */
  mayStill: (personId: string | undefined, verb: Verb) => boolean
  releases: ReleaseRequests
  /** By cluster: none where nothing is written. */
  keepers: ReadonlyMap<string, HoldKeeper>
  /** Aborts when the server stops. */
  signal: AbortSignal
}
