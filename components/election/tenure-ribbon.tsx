import { memo } from 'react'
import { laneColour } from './lane-colours.ts'
import { type Ribbon, type RibbonInput, ribbonOf, type Segment } from './ribbon-geometry.ts'
import { RibbonMark } from './ribbon-mark.tsx'

const percent = (fraction: number) => `${(fraction * 100).toFixed(2)}%`
const BODY = 7

/** Who led over the last hour, one lane per candidate. As wide as its place; `label` says it in words. */
export const TenureRibbon = memo(function TenureRibbon({ label, ...input }: RibbonInput & { label: string }) {
  const height = input.height ?? 34
  const ribbon = ribbonOf(input)
  return (
    <svg aria-label={label} className="block overflow-visible" height={height} role="img" width="100%">
      <Ground height={height} ribbon={ribbon} />
      {ribbon.segments.map((segment) => (
        <Term height={ribbon.laneHeight} key={segment.key} segment={segment} />
      ))}
      {ribbon.joins.map(({ key, x, y1, y2 }) => (
        <line key={key} stroke="var(--t1)" strokeWidth="1.2" x1={percent(x)} x2={percent(x)} y1={y1} y2={y2} />
      ))}
      {ribbon.gaps.map(({ key, x, width }) => (
        <Hatch fill="url(#p-gap)" height={height} key={key} width={width} x={x} />
      ))}
      {ribbon.marks.map(({ key, x, type }) => (
        <svg aria-hidden="true" key={key} overflow="visible" x={percent(Math.min(0.981, Math.max(0.019, x)))}>
          <RibbonMark type={type} />
        </svg>
      ))}
      <line stroke="var(--ctl)" x1="100%" x2="100%" y1="6" y2={height} />
    </svg>
  )
})

function Term({ segment: { x, y, width, colour }, height }: { segment: Segment; height: number }) {
  const place = { x: percent(x), y, width: percent(width), height, rx: 1 }
  return (
    <>
      <rect {...place} fill={laneColour(colour)} />
      {colour?.notched && <rect {...place} fill="url(#p-notch)" />}
    </>
  )
}

function Hatch({ x, width, height, fill }: { x: number; width: number; height: number; fill: string }) {
  const place = { x: percent(x), width: percent(width), y: BODY, height: height - BODY }
  return (
    <>
      <rect {...place} fill="var(--bg)" />
      <rect {...place} fill={fill} />
    </>
  )
}

function Ground({ ribbon, height }: { ribbon: Ribbon; height: number }) {
  return (
    <>
      {ribbon.lanes.map((y) => (
        <rect fill="var(--line2)" height="1" key={y} width="100%" x="0" y={y + ribbon.laneHeight / 2 - 0.5} />
      ))}
      {ribbon.raftChanges.map((x) => (
        <line
          key={x}
          stroke="var(--t2)"
          strokeDasharray="1.5 2.5"
          x1={percent(x)}
          x2={percent(x)}
          y1={BODY}
          y2={height}
        />
      ))}
      {ribbon.untold.map(({ key, x, width }) => (
        <Hatch fill="url(#p-untold)" height={height} key={key} width={width} x={x} />
      ))}
      {ribbon.stopped.map(({ key, x, width }) => (
        <rect
          data-stopped=""
          fill="url(#p-stop)"
          height={height - BODY}
          key={key}
          width={percent(width)}
          x={percent(x)}
          y={BODY}
        />
      ))}
      {ribbon.leaderless.map(({ key, x, width }) => (
        <Hatch fill="url(#p-vacancy)" height={height} key={key} width={width} x={x} />
      ))}
    </>
  )
}
