import type { BandBox, BandKind } from './condition-bands.ts'

/** Each kind has its own colour, and its own edge for those who do not tell colours apart. */
const LOOKS: Record<BandKind, { tint: string; edge: string; dashes?: string }> = {
  'no-quorum': { tint: 'var(--tint-crit2)', edge: 'var(--crit)' },
  alarm: { tint: 'var(--tint-warn)', edge: 'var(--warn)', dashes: '6 2' },
  'slow-probe': { tint: 'var(--tint-info)', edge: 'var(--info)', dashes: '2 2' },
}
const EDGE_PX = 3

/** What was wrong with etcd: a quiet tint down the panel, with its edge on top. */
export function ConditionBands({ bands, height }: { bands: readonly BandBox[]; height: number }) {
  return bands.map(({ kind, x, width }) => (
    <g data-condition={kind} key={`${kind} ${x}`}>
      <rect fill={LOOKS[kind].tint} height={height} width={width} x={x} />
      <Edge kind={kind} width={width} x={x} y={EDGE_PX / 2} />
    </g>
  ))
}

function Edge({ kind, x, y, width }: { kind: BandKind; x: number; y: number; width: number }) {
  const { edge, dashes } = LOOKS[kind]
  return <path d={`M${x} ${y}h${width}`} stroke={edge} strokeDasharray={dashes} strokeWidth={EDGE_PX} />
}

/** For a legend. */
export function ConditionSwatch({ kind }: { kind: BandKind }) {
  return (
    <svg aria-hidden="true" className="shrink-0" height="12" width="14">
      <rect fill={LOOKS[kind].tint} height="12" width="14" />
      <Edge kind={kind} width={14} x={0} y={EDGE_PX / 2} />
    </svg>
  )
}
