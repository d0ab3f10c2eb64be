'use client'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { instant } from '../../lib/shared/clock.ts'
import { dayAndMonth, hourAndMinute, timeOfDay } from '../../lib/shared/format.ts'
import { cursorKey, snapped } from './cursor.ts'
import { clampedX, msAt, msPerPx, type Plot, type Span, xOf } from './time-axis.ts'

interface CursorLayerProps {
  span: Span
  plot: Plot
  width: number
  height: number
  /** Changes the cursor snaps to and Shift + arrow jumps between; ascending. */
  events: readonly number[]
  at: number | null
  onMove: (at: number | null) => void
  /** Somebody wants to see just this stretch. */
  onBrush: (fromMs: number, toMs: number) => void
  /** What the panels read at the cursor, for screen readers. */
  spoken: string
}

const FIELDS = 'input, textarea, select, [contenteditable], [role="slider"], [role="radio"], [role="dialog"]'

/** Arrow keys move the cursor wherever nothing else takes them. */
function usePageKeys(onKey: (event: globalThis.KeyboardEvent) => void): void {
  const latest = useRef(onKey)
  useEffect(() => {
    latest.current = onKey
  })
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const busy = event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey
      const inside = event.target instanceof Element && event.target.closest(FIELDS) !== null
      const ours = ['ArrowLeft', 'ArrowRight', 'Escape', 'z'].includes(event.key)
      if (!busy && !inside && ours) latest.current(event)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

/**
 * One cursor over all panels: pointer, finger or keys. It draws a line and its time, nothing over the data. A
 * drag of the mouse, or Z at either end, brushes a stretch.
 */
export function CursorLayer({ span, plot, width, height, events, at, onMove, onBrush, spoken }: CursorLayerProps) {
  const area = useRef<HTMLDivElement>(null)
  const brush = useBrush(onBrush)
  const timeUnder = (event: PointerEvent) => {
    const left = area.current?.getBoundingClientRect().left ?? 0
    return snapped(events, msAt(span, plot, event.clientX - left + plot.left), span, plot)
  }
  const onKey = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    if (event.key === 'z' && at !== null) brush.press(at)
    if (event.key === 'Escape' && brush.letGo()) return
    const next = cursorKey(event, at, events, { span, plot })
    if (next === undefined) return
    event.preventDefault()
    onMove(next)
  }
  usePageKeys(onKey)
  return (
    <>
      <div
        aria-label="Time cursor"
        aria-orientation="horizontal"
        aria-valuemax={span.toMs}
        aria-valuemin={span.fromMs}
        aria-valuenow={Math.max(span.fromMs, Math.min(span.toMs, at ?? span.toMs))}
        aria-valuetext={spoken}
        className="absolute top-0 cursor-crosshair touch-pan-y focus-visible:outline-offset-4"
        onKeyDown={onKey}
        onPointerDown={(event) => {
          if (event.pointerType !== 'mouse' || event.button === 0) {
            event.currentTarget.setPointerCapture(event.pointerId)
          }
          if (event.pointerType === 'mouse' && event.button === 0) brush.begin(timeUnder(event))
          onMove(timeUnder(event))
        }}
        onPointerLeave={(event) => event.pointerType === 'mouse' && onMove(null)}
        onPointerMove={(event) => onMove(timeUnder(event))}
        onPointerUp={(event) => {
          if (event.pointerType === 'mouse') brush.end(timeUnder(event), MIN_BRUSH_PX * msPerPx(span, plot))
        }}
        ref={area}
        role="slider"
        style={{ left: plot.left, width: plot.right - plot.left, height }}
        tabIndex={0}
      />
      {at !== null && brush.fromMs !== null && (
        <BrushedArea from={clampedX(span, plot, brush.fromMs)} height={height} to={clampedX(span, plot, at)} />
      )}
      {at !== null && at >= span.fromMs && at <= span.toMs && (
        <CursorLine at={at} span={span} height={height} width={width} x={xOf(span, plot, at)} />
      )}
    </>
  )
}

/** Less is a click. */
const MIN_BRUSH_PX = 6

function useBrush(onBrush: CursorLayerProps['onBrush']) {
  const [fromMs, setFromMs] = useState<number | null>(null)
  const finish = (toMs: number, leastMs: number) => {
    setFromMs(null)
    if (fromMs === null || Math.abs(toMs - fromMs) < leastMs) return
    onBrush(Math.min(fromMs, toMs), Math.max(fromMs, toMs))
  }
  return {
    fromMs,
    begin: setFromMs,
    end: finish,
    /** The first press marks, the second brushes. */
    press: (ms: number) => (fromMs === null ? setFromMs(ms) : finish(ms, 1)),
    /** Answers whether there was anything to let go of. */
    letGo: () => {
      setFromMs(null)
      return fromMs !== null
    },
  }
}

function BrushedArea({ from, to, height }: { from: number; to: number; height: number }) {
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute top-0 left-0 overflow-visible"
      height={height}
      width="1"
    >
      <rect
        fill="var(--bone)"
        height={height - 19}
        opacity="0.12"
        width={Math.abs(to - from)}
        x={Math.min(from, to)}
        y="19"
      />
      <path d={`M${from} 19V${height}`} stroke="var(--bone)" />
    </svg>
  )
}

const DAY_MS = 24 * 3_600_000

interface LineProps {
  at: number
  span: Span
  x: number
  width: number
  height: number
}

function CursorLine({ at, span, x, width, height }: LineProps) {
  const isLong = span.toMs - span.fromMs > DAY_MS
  const half = isLong ? 42 : 29
  const labelX = Math.max(half, Math.min(width - half, x))
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute top-0 left-0 overflow-visible"
      height={height}
      width="1"
    >
      <path d={`M${x} 19V${height}`} stroke="var(--bone)" />
      <rect fill="var(--bone)" height="19" rx="3" width={half * 2} x={labelX - half} y="0" />
      <text fill="var(--onbone)" fontSize="11" fontWeight="600" textAnchor="middle" x={labelX} y="13.5">
        {isLong ? `${dayAndMonth(instant(at))} ${hourAndMinute(instant(at))}` : timeOfDay(instant(at))}
      </text>
    </svg>
  )
}
