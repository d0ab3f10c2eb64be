/** Fencing tokens without their schema, so that browser code carries no parser for them. */
import { compareDecimal } from '../shared/decimal.ts'
import type { Revision } from './types.ts'

export interface FencingToken {
  epoch: number
  /** Create revision of the leader's key. */
  revision: Revision
}

/** Negative when `a` is older than `b`. */
export function compareTokens(a: FencingToken, b: FencingToken): number {
  return a.epoch - b.epoch || compareDecimal(a.revision, b.revision)
}
