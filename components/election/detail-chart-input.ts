'use client'
import { useMemo } from 'react'
import type { Condition } from '../../lib/election/conditions.ts'
import { leaderOf } from '../../lib/election/queue.ts'
import type { RenewalSeries } from '../../lib/election/series.ts'
import type { Cluster, ElectionState } from '../../lib/election/types.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { bandBoxes, type EtcdConditions, etcdConditions, markXs } from '../charts/condition-bands.ts'
import { timeTicks } from '../charts/time-axis.ts'
import type { Shade } from '../charts/time-shade.tsx'
import { type ChartModel, chartModel } from './detail-chart-model.ts'
import type { Frozen } from './detail-frozen.ts'
import type { PageHistory } from './detail-history.ts'
import { type PanelInput, type PanelSizes, panelSizes } from './detail-panel-input.ts'
import type { Span, View } from './detail-range.ts'

export interface ChartsProps {
  cluster: Cluster
  state: ElectionState
  history: PageHistory
  now: Instant
  frozen: Frozen | null
}

export interface Shown {
  view: View
  span: Span
  width: number
  renewals: { bucketMs: number; series: readonly RenewalSeries[] } | undefined
  conditions: readonly Condition[] | undefined
}

const NONE: readonly never[] = []

/** Look-ups of leases change the state many times a second and nothing that is drawn: the model stays the same. */
function useModel({ state, history, now, frozen }: ChartsProps, { view, span }: Shown): ChartModel {
  const { terms, gaps, stops } = history
  const { revision, term, ended, leaderlessSince } = state
  const endMs = view.end === null ? span.toMs : Math.min(span.toMs, msOf(now))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of the state and of `frozen` that are drawn
  return useMemo(
    () => chartModel({ state, terms, gaps, stops, frozen, endMs }),
    [revision, term, ended, leaderlessSince, terms, gaps, stops, frozen?.at, frozen?.why, endMs],
  )
}

function useEtcd({ cluster }: ChartsProps, { conditions, span }: Shown): EtcdConditions {
  // Each heartbeat brings the list anew; as text it differs only when it does.
  const raftText = cluster.raftLeaderChanges.join(' ')
  const { toMs } = span
  return useMemo(() => {
    const live = raftText === '' ? NONE : raftText.split(' ')
    return etcdConditions(conditions ?? NONE, live, toMs)
  }, [raftText, conditions, toMs])
}

function useShade(etcd: EtcdConditions, { fromMs, toMs }: Span, { left, right }: PanelSizes, model: ChartModel): Shade {
  return useMemo(() => {
    const span = { fromMs, toMs }
    const plot = { left, right }
    return {
      span,
      plot,
      ticks: timeTicks(span, plot),
      gaps: model.gaps,
      stops: model.stops,
      bands: bandBoxes(etcd.bands, span, plot),
      raftXs: markXs(
        etcd.changes.map(({ ms }) => ms),
        span,
        plot,
      ),
    }
  }, [fromMs, toMs, left, right, model, etcd])
}

/** Everything the panels draw from; it changes with what is drawn, not with every frame. */
export function useChartInput(props: ChartsProps, shown: Shown): PanelInput {
  const { cluster, state, now } = props
  const { view, span, width, renewals } = shown
  const model = useModel(props, shown)
  const labels = model.lanes.map(({ label }) => label)
  const sizes = panelSizes(width, labels)
  const etcd = useEtcd(props, shown)
  const shade = useShade(etcd, span, sizes, model)
  const leader = leaderOf(state.candidates)
  return {
    prefix: state.prefix,
    model,
    etcd,
    shade,
    sizes,
    width,
    series: renewals?.series ?? NONE,
    bucketMs: renewals?.bucketMs ?? view.range.bucketMs,
    ttlMs: leader?.ttl?.grantedMs ?? null,
    leased: leader?.lease !== null,
    sampling: cluster.sampling,
    nowMs: msOf(now),
    live: view.end === null,
  }
}
