import { Area, ComposedChart, Line, XAxis, YAxis } from 'recharts'
import type { Point } from './lines.ts'
import { type Plot, type Span, xOf } from './time-axis.ts'

export interface PlotLine {
  key: string
  points: readonly Point[]
  colour: string
  width: number
  dash?: string
  /** Background drawn around it, so that it reads over other lines. */
  halo?: boolean
}

export interface PlotBand {
  key: string
  points: readonly { t: number; band: [number, number] | null }[]
  colour: string
}

interface LinePlotProps {
  lines: readonly PlotLine[]
  bands?: readonly PlotBand[]
  domain: [number, number]
  log?: boolean
  /** The same scale as a function: pixels from the top. */
  yOf: (value: number) => number
  span: Span
  plot: Plot
  width: number
  height: number
}

/** Samples without neighbours, which no line can show. Recharts would make an element for every point to draw them. */
function LoneDots({ lines, span, plot, yOf }: Pick<LinePlotProps, 'lines' | 'span' | 'plot' | 'yOf'>) {
  return lines.map(({ key, points, colour }) => (
    <g fill={colour} key={key}>
      {points
        .filter(({ alone, t }) => alone && t >= span.fromMs && t <= span.toMs)
        .map(({ t, v }) => (
          <circle cx={xOf(span, plot, t)} cy={yOf(v ?? 0)} key={t} r="2" />
        ))}
    </g>
  ))
}

function stroke(line: PlotLine, halo: boolean) {
  return (
    <Line
      activeDot={false}
      connectNulls={false}
      data={line.points as Point[]}
      dataKey="v"
      dot={false}
      isAnimationActive={false}
      key={halo ? `${line.key} halo` : line.key}
      stroke={halo ? 'var(--bg)' : line.colour}
      strokeLinejoin="round"
      strokeWidth={halo ? 3 : line.width}
      type="linear"
      {...(line.dash !== undefined && !halo ? { strokeDasharray: line.dash } : {})}
    />
  )
}

/** Lines over the shared time axis. Grid, scale and cursor are drawn around it, so that it changes only with its data. */
export function LinePlot(props: LinePlotProps) {
  const { lines, bands = [], domain, log = false, span, plot, width, height, yOf } = props
  return (
    <>
      <ComposedChart
        accessibilityLayer={false}
        height={height}
        margin={{ top: 0, bottom: 0, left: plot.left, right: width - plot.right }}
        style={{ position: 'absolute', inset: 0, pointerEvents: 'none' }}
        width={width}
      >
        <XAxis allowDataOverflow dataKey="t" domain={[span.fromMs, span.toMs]} hide type="number" />
        <YAxis allowDataOverflow domain={domain} hide scale={log ? 'log' : 'linear'} type="number" />
        {bands.map((band) => (
          <Area
            activeDot={false}
            data={band.points as PlotBand['points'][number][]}
            dataKey="band"
            dot={false}
            fill={band.colour}
            fillOpacity={0.2}
            isAnimationActive={false}
            key={band.key}
            stroke="none"
            type="linear"
          />
        ))}
        {lines.flatMap((line) => (line.halo ? [stroke(line, true), stroke(line, false)] : [stroke(line, false)]))}
      </ComposedChart>
      <svg aria-hidden="true" className="absolute inset-0" height={height} width={width}>
        <LoneDots lines={lines} plot={plot} span={span} yOf={yOf} />
      </svg>
    </>
  )
}
