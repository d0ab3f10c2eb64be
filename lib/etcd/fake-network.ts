/** What may befall a call to the fake etcd, or a notice from it. */
import type { EtcdErrorKind } from '../election/ports.ts'

/** What becomes of one call. */
export interface Fate {
  /** Until the request reaches the store, which may be after the caller has given up. */
  requestMs: number
  answerMs: number
  lost?: 'request' | 'answer'
  /** Sent again to another endpoint: applied a second time this much later, and answered as the second time. */
  againMs?: number
  /** Not applied, and told so. */
  refused?: EtcdErrorKind
}

export interface NoticeFate {
  delayMs: number
  /** Told by the one before it, when that is still on its way. */
  isJoined?: boolean
  /** Heard once more. */
  isDoubled?: boolean
  /** The stream ended instead. */
  isLost?: boolean
}

/** null: at once, without the passing of time. */
export interface Network {
  call(client: string): Fate | null
  notice(client: string): NoticeFate | null
  /** Whether what was on its way to or from a client that is cut off is still there when it comes back. */
  keepsParked(): boolean
}

export const calmNetwork: Network = { call: () => null, notice: () => null, keepsParked: () => true }
