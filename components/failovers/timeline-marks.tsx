import { ChangeMark } from '../charts/change-mark.tsx'
import { causeWords } from './failover-words.ts'
import type { Mark, MassMark, Point } from './timeline-model.ts'

/** A failover that has not ended is hollow: its outline tells it apart without colour. */
function OpenMark() {
  return <path d="M-5-4.2H5L0 4.4z" fill="var(--bg)" stroke="var(--crit)" strokeWidth="1.7" />
}

export function PointMark({ point }: { point: Pick<Point, 'cause' | 'kind' | 'open'> }) {
  return point.open ? <OpenMark /> : <ChangeMark kind={causeWords(point.cause, point.kind).mark} />
}

/** The same in a line of text. */
export function InlinePointMark({ point }: { point: Pick<Point, 'cause' | 'kind' | 'open'> }) {
  return (
    <svg aria-hidden="true" className="shrink-0" height="12" viewBox="-6 -6 12 12" width="12">
      <PointMark point={point} />
    </svg>
  )
}

export function PointMarks({ marks }: { marks: readonly Mark[] }) {
  return marks.map(({ key, x, y, scale, point }) => (
    <g key={key} transform={`translate(${round(x)} ${round(y)})${scale === 1 ? '' : ` scale(${scale.toFixed(2)})`}`}>
      <PointMark point={point} />
    </g>
  ))
}

const HALF_PX = 13
const DIGIT_PX = 8

/** Brackets around the number of elections. */
export function MassBox({ mark }: { mark: MassMark }) {
  const text = mark.elections.toLocaleString('en-US')
  const half = Math.max(HALF_PX, (text.length * DIGIT_PX) / 2 + 5)
  return (
    <g transform={`translate(${round(mark.x)} ${round(mark.y)})`}>
      <path
        d={`M${-half + 1}-17H${-half - 5}V17h6M${half - 1}-17H${half + 5}V17h-6`}
        fill="none"
        stroke="var(--t1)"
        strokeWidth="1.6"
      />
      <rect fill="var(--info)" height="24" rx="2" stroke="var(--bg)" width={2 * half} x={-half} y="-12" />
      <text fill="var(--bg)" fontSize="14" fontWeight="700" textAnchor="middle" y="5">
        {text}
      </text>
    </g>
  )
}

const round = (px: number) => Math.round(px * 10) / 10
