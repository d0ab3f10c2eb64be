/** What the candidate says of itself in etcd: one put at each change of its state, on its own lease. */
import type { FencingToken } from '../election/epoch.ts'
import type { Op } from '../election/ports.ts'
import type { CandidateState, Presence } from '../election/presence.ts'
import type { LeaseId } from '../election/types.ts'
import { sleep } from '../shared/abort.ts'
import { escapeLatin1, utf8 } from '../shared/bytes.ts'
import type { Keys } from './keys.ts'
import type { Settings } from './options.ts'
import type { Transactions } from './transactions.ts'
import { CLIENT, VERSION } from './version.ts'

export interface Words {
  state: CandidateState
  token: FencingToken | null
  switchNonces: readonly string[]
  lastResign: Presence['lastResign']
}

/** A work that ends sooner than this was never seen draining; saying so would only hold its release up. */
const DRAINED_AT_ONCE_MS = 50

export class PresenceKey {
  private readonly settings: Settings
  private readonly keys: Keys
  private readonly transactions: Transactions
  private last: Promise<void> = Promise.resolve()
  private said = ''
  private superseded = new AbortController()

  constructor(settings: Settings, keys: Keys, transactions: Transactions) {
    this.settings = settings
    this.keys = keys
    this.transactions = transactions
  }

  /** Once per change, best effort, in order: an election needs no presence, so nothing waits for it. */
  say(lease: LeaseId, words: Words): void {
    const said = JSON.stringify([lease, words])
    if (said === this.said) return
    this.said = said
    this.superseded.abort()
    this.superseded = new AbortController()
    const { signal } = this.superseded
    const put = this.put(lease, words)
    this.last = this.last
      .then(() => (words.state === 'draining' ? sleep(DRAINED_AT_ONCE_MS, signal) : undefined))
      .then(() => (words.state === 'draining' && signal.aborted ? undefined : this.transactions.write(put)))
      .catch((error: Error) => {
        // Said again when the state is entered again: a stop that nobody could hear of is acknowledged late.
        if (this.said === said) this.said = ''
        this.settings.trouble(error)
      })
  }

  /** The same as a part of another transaction, which makes what is still to be said of draining needless. */
  lastWord(lease: LeaseId, words: Words): Op {
    this.superseded.abort()
    return this.put(lease, words)
  }

  private put(lease: LeaseId, words: Words): Op {
    const { identity, onMissingSwitch, metaPrefix } = this.settings
    const record: Presence = {
      v: 1,
      identity,
      ...words,
      switchNonces: [...words.switchNonces],
      onMissingSwitch,
      metaPrefix: escapeLatin1(metaPrefix),
      client: CLIENT,
      version: VERSION,
    }
    return { type: 'put', key: this.keys.presence(lease), value: utf8(JSON.stringify(record)), lease }
  }

  /** Resolves when everything said so far is written or given up. */
  settled(): Promise<void> {
    return this.last
  }
}
