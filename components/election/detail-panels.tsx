'use client'
import { useMemo } from 'react'
/** The four panels. Loaded on this page only, because the chart library is. */
import { brief } from '../../lib/shared/format.ts'
import { ChartMenu } from '../charts/chart-menu.tsx'
import type { ChartTable } from '../charts/chart-table.ts'
import { markXs } from '../charts/condition-bands.ts'
import { CursorLayer } from '../charts/cursor-layer.tsx'
import { FailoverChart } from '../charts/failover-chart.tsx'
import { LaneChart } from '../charts/lane-chart.tsx'
import { coarser } from '../charts/lines.ts'
import { MarginChart } from '../charts/margin-chart.tsx'
import { RttChart } from '../charts/rtt-chart.tsx'
import { xOf } from '../charts/time-axis.ts'
import { failoverTable, marginTable, rttTable, termTable } from './detail-chart-tables.ts'
import { AXIS_PX, type PanelInput } from './detail-panel-input.ts'
import { FailoverReadout, MarginReadout, RttReadout, TermReadout } from './detail-panel-readouts.tsx'
import { endLabels, holderLines, marginLines, missedMoments, probeLines } from './detail-plot-lines.ts'
import {
  etcdReadout,
  leaderAt,
  marginReading,
  missedReading,
  probeReadings,
  termReadout,
  worstMargin,
} from './detail-readout.ts'
import { spoken } from './detail-sentence.ts'
import { failoverSummary, marginSummary, rttSummary, termsSummary } from './detail-summary.ts'
import { TopLabels } from './detail-top-labels.tsx'

interface PanelsProps {
  input: PanelInput
  cursor: number | null
  onBrush: (fromMs: number, toMs: number) => void
  onCursor: (at: number | null) => void
}

const DUE_SHARE = 3

/** Time between two margins: long enough to hold a whole renewal, so that the least is a worst moment. */
function marginBucket({ bucketMs, ttlMs }: PanelInput): number {
  return bucketMs * Math.max(1, Math.ceil((ttlMs ?? 0) / bucketMs))
}

function useLines(input: PanelInput) {
  const { model, series, bucketMs, ttlMs, shade, sizes } = input
  const wideMs = marginBucket(input)
  return useMemo(() => {
    const margins = series
      .filter(({ source }) => source === 'margin')
      .map((each) => ({ ...each, buckets: coarser(each.buckets, wideMs) }))
    const base = { model, series, bucketMs, span: shade.span, ttlMs }
    const probes = probeLines(base)
    const holder = holderLines(base)
    const named = probes.map(({ key, points }) => ({ key, points, text: key.replace(/^probe /, '') }))
    return {
      margins,
      rtt: [...holder.lines, ...probes],
      bands: holder.bands,
      missed: markXs(missedMoments(series, bucketMs), shade.span, shade.plot),
      labels: sizes.narrow ? [] : endLabels(named, sizes.rtt),
      margin: marginLines({ ...base, series: margins, bucketMs: wideMs }),
    }
  }, [model, series, bucketMs, ttlMs, shade.span, shade.plot, sizes.narrow, sizes.rtt, wideMs])
}

type Lines = ReturnType<typeof useLines>

/** What the headers read, at the cursor or now. */
function readingsOf(input: PanelInput, lines: Lines, ms: number | null) {
  const { model, series, bucketMs, shade } = input
  const nowMs = input.live ? input.nowMs : shade.span.toMs
  const rtt = { series, bucketMs, ms, nowMs }
  const margins = { ...rtt, series: lines.margins, bucketMs: marginBucket(input) }
  const margin = marginReading(margins, leaderAt(model, ms ?? nowMs))
  const words = termReadout(model, ms, nowMs)
  const etcd = etcdReadout(input.etcd, ms ?? nowMs)
  const probes = probeReadings(rtt).map(({ name, value }) => `probe ${name} ${value}`)
  const missed = missedReading(rtt)
  const also = missed === null ? [] : [`${missed} renewals missed`]
  const said = [spoken(words), spoken(etcd), ...probes, ...also, `margin ${margin}`]
  return { ms, rtt, margin, words, etcd, spoken: said.filter((each) => each !== '').join('; ') }
}

type Readings = ReturnType<typeof readingsOf>

/** Where the cursor snaps to: what changed, and where something began. */
function eventsOf({ events, gaps }: PanelInput['model'], { bands, changes }: PanelInput['etcd']): number[] {
  const begun = [...gaps, ...bands].map(({ fromMs }) => fromMs)
  return [...events, ...changes.map(({ ms }) => ms), ...begun].sort((a, b) => a - b)
}

export function Panels({ input, cursor, onBrush, onCursor }: PanelsProps) {
  const { model, shade, sizes, width } = input
  const { span, plot } = shade
  const lines = useLines(input)
  const at = cursor !== null && cursor >= span.fromMs && cursor <= span.toMs ? cursor : null
  // Held still, without a cursor: what the right edge shows, which is not now.
  const readings = readingsOf(input, lines, at ?? (input.live ? null : span.toMs))
  const events = useMemo(() => eventsOf(model, input.etcd), [model, input.etcd])
  const cursorX = at === null ? null : xOf(span, plot, at)
  return (
    <>
      <TopLabels cursorX={cursorX} etcd={input.etcd} gaps={model.gaps} plot={plot} span={span} width={width} />
      <div className="pt-[21px]">
        <TermPanel input={input} readings={readings} />
        <RttPanel input={input} lines={lines} readings={readings} />
        <MarginPanel input={input} lines={lines} readings={readings} />
        <figure aria-label={failoverSummary(model.failovers, span)} className="relative mt-4">
          <FailoverReadout at={at} failovers={model.failovers} />
          <PanelMenu input={input} table={() => failoverTable(model, span)} title="Failovers" />
          <div data-chart="">
            <FailoverChart failovers={model.failovers} height={sizes.failovers} shade={shade} width={width} />
          </div>
        </figure>
        <TimeLabels input={input} />
      </div>
      <CursorLayer
        at={at}
        events={events}
        height={sizes.total - AXIS_PX}
        onBrush={onBrush}
        onMove={onCursor}
        plot={plot}
        span={span}
        spoken={readings.spoken}
        width={width}
      />
    </>
  )
}

/** Beside the header of a panel. */
function PanelMenu({ input, ...rest }: { input: PanelInput; title: string; table: () => ChartTable }) {
  return (
    <ChartMenu
      className="absolute -top-1.5 right-0 z-20 max-sm:-top-3 max-sm:-right-2.5"
      span={input.shade.span}
      subject={input.prefix.replace(/^\/+|\/+$/g, '')}
      {...rest}
    />
  )
}

interface PanelProps {
  input: PanelInput
  readings: Readings
}

function TermPanel({ input, readings }: PanelProps) {
  const { model, shade, sizes, width } = input
  return (
    <figure aria-label={termsSummary(model, shade.span)} className="relative">
      <TermReadout colourOf={model.colourOf} etcd={readings.etcd} words={readings.words} />
      <PanelMenu input={input} table={() => termTable(model, shade.span)} title="Terms" />
      <div data-chart="">
        <LaneChart
          laneHeight={sizes.laneHeight}
          lanes={model.lanes}
          shade={shade}
          terms={model.terms}
          vacancies={model.vacancies}
          width={width}
        />
      </div>
    </figure>
  )
}

function RttPanel({ input, lines, readings }: PanelProps & { lines: Lines }) {
  const { shade, sizes, width, series, ttlMs } = input
  const dueMs = ttlMs === null ? null : ttlMs / DUE_SHARE
  return (
    <figure aria-label={rttSummary(series, shade.span)} className="relative mt-4">
      <RttReadout reading={readings.rtt} />
      <PanelMenu input={input} table={() => rttTable(renewalsOf(input))} title="Renewal RTT" />
      <div data-chart="">
        <RttChart
          bands={lines.bands}
          dueLabel={dueMs === null ? '' : `TTL/3 = ${brief(dueMs)}`}
          dueMs={dueMs}
          height={sizes.rtt}
          labels={lines.labels}
          lines={lines.rtt}
          missed={lines.missed}
          shade={shade}
          width={width}
        />
      </div>
    </figure>
  )
}

function MarginPanel({ input, lines, readings }: PanelProps & { lines: Lines }) {
  const { shade, sizes, width, sampling } = input
  const absent = input.leased
    ? `margin not measured (${sampling.sampled} of ${sampling.leaders} leaders sampled)`
    : "the leader's key has no lease: there is no margin"
  return (
    <figure
      aria-label={marginSummary(worstMargin(lines.margins, shade.span.fromMs), shade.span)}
      className="relative mt-4"
    >
      <MarginReadout bucketMs={marginBucket(input)} live={readings.ms === null} value={readings.margin} />
      <PanelMenu
        input={input}
        table={() => marginTable({ ...renewalsOf(input), series: lines.margins, bucketMs: marginBucket(input) })}
        title="Renewal margin"
      />
      <div data-chart="">
        <MarginChart
          absent={lines.margin.length === 0 ? absent : null}
          height={sizes.margin}
          lines={lines.margin}
          shade={shade}
          width={width}
        />
      </div>
    </figure>
  )
}

const renewalsOf = ({ model, series, bucketMs, shade }: PanelInput) => ({ model, series, bucketMs, span: shade.span })

function TimeLabels({ input: { shade, width, live } }: { input: PanelInput }) {
  return (
    <svg aria-hidden="true" className="block overflow-visible" data-time-axis="" height={AXIS_PX} width={width}>
      {shade.ticks.map(({ ms, x, label }) => (
        <text fill="var(--t3)" fontSize="11" key={ms} textAnchor="middle" x={x} y="16">
          {label}
        </text>
      ))}
      <text
        data-screen-only=""
        fill="var(--t2)"
        fontSize="11"
        fontWeight="600"
        textAnchor="end"
        x={shade.plot.right}
        y="16"
      >
        {live ? 'now' : ''}
      </text>
    </svg>
  )
}
