/** What the panels share: the model, the axis and the room they have. */
import type { RenewalSeries } from '../../lib/election/series.ts'
import type { Cluster } from '../../lib/election/types.ts'
import type { EtcdConditions } from '../charts/condition-bands.ts'
import { laneChartHeight } from '../charts/lane-chart.tsx'
import type { Shade } from '../charts/time-shade.tsx'
import type { ChartModel } from './detail-chart-model.ts'

export interface PanelSizes {
  left: number
  right: number
  laneHeight: number
  rtt: number
  margin: number
  failovers: number
  /** Of the whole stack, so that its room is kept before it is drawn. */
  total: number
  narrow: boolean
}

export interface PanelInput {
  /** Prefix of the election, as it is shown. */
  prefix: string
  model: ChartModel
  /** What etcd itself was like. */
  etcd: EtcdConditions
  shade: Shade
  sizes: PanelSizes
  width: number
  series: readonly RenewalSeries[]
  bucketMs: number
  ttlMs: number | null
  /** False when the leader's key has no lease. */
  leased: boolean
  sampling: Cluster['sampling']
  nowMs: number
  live: boolean
}

const NARROW_PX = 520
export const TOP_PX = 21
export const AXIS_PX = 22
const WIDE = { left: 78, right: 44, laneHeight: 37, rtt: 208, margin: 118, failovers: 126, headers: 64, below: 8 }
const TIGHT = { left: 76, right: 10, laneHeight: 22, rtt: 118, margin: 70, failovers: 70, headers: 104, below: 4 }
/** Between one panel and the header of the next. */
export const BETWEEN_PX = 16

const LETTER_PX = 7.6
const SWATCH_PX = 24

function labelRoom(labels: readonly string[], least: number, most: number): number {
  const longest = Math.max(0, ...labels.map((label) => label.length))
  return Math.round(Math.max(least, Math.min(most, SWATCH_PX + longest * LETTER_PX)))
}

/** `labels` of the lanes: names get the room they need, within reason. */
export function panelSizes(width: number, labels: readonly string[]): PanelSizes {
  const narrow = width > 0 && width < NARROW_PX
  const room = narrow ? TIGHT : WIDE
  const plots = laneChartHeight(labels.length, room.laneHeight) + room.rtt + room.margin + room.failovers
  const left = labelRoom(labels, room.left, narrow ? 104 : 148)
  return {
    left,
    // While a page is laid out it may be narrower than its own labels.
    right: Math.max(left, width - room.right),
    laneHeight: room.laneHeight,
    rtt: room.rtt,
    margin: room.margin,
    failovers: room.failovers,
    total: TOP_PX + plots + room.headers + room.below * 4 + BETWEEN_PX * 3 + AXIS_PX,
    narrow,
  }
}
