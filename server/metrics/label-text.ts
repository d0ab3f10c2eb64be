/** Names as label values: short enough for a store of series, and never twice the same. */
import { createHash } from 'node:crypto'

const MOST = 200
const KEPT = 180

/** Elections that have no series of their own, summed. */
export const OTHERS = '(others)'

/** Tells two elections apart whose names look the same when cut. */
const markOf = (ref: string) => createHash('sha256').update(ref).digest('hex').slice(0, 8)

/** A long name is cut, and what was cut off is stood for by a mark of the whole. */
export function labelOf(name: string, ref: string): string {
  if (name.length <= MOST && name !== OTHERS) return name
  return `${name.slice(0, KEPT).toWellFormed()}… ${markOf(ref)}`
}

/** For a name that another election of the cluster has already. */
export function distinctLabelOf(name: string, ref: string): string {
  return `${name.slice(0, KEPT).toWellFormed()} (${markOf(ref)})`
}
