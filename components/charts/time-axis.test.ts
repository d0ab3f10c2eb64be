import { describe, expect, it } from 'vitest'
import { cursorKey, nextEvent, snapped } from './cursor.ts'
import { clampedX, msAt, timeTicks, xOf } from './time-axis.ts'

const HOUR = 3_600_000
const span = { fromMs: 20 * HOUR, toMs: 26 * HOUR }
const plot = { left: 78, right: 780 }

describe('time axis', () => {
  it('goes to pixels and back', () => {
    expect(xOf(span, plot, span.fromMs)).toBe(78)
    expect(xOf(span, plot, span.toMs)).toBe(780)
    expect(msAt(span, plot, xOf(span, plot, 23 * HOUR))).toBe(23 * HOUR)
    expect(msAt(span, plot, -50)).toBe(span.fromMs)
    expect(clampedX(span, plot, 99 * HOUR)).toBe(780)
  })

  it('labels round times that do not touch each other or the end', () => {
    const ticks = timeTicks(span, plot)
    expect(ticks.map(({ ms }) => ms % HOUR)).toEqual(ticks.map(() => 0))
    expect(ticks.map(({ label }) => label)).toEqual(['20:00', '21:00', '22:00', '23:00', '00:00', '01:00'])
    const shifted = timeTicks({ fromMs: span.fromMs + 60_000, toMs: span.toMs + 60_000 }, plot)
    expect(shifted.at(-1)?.label).toBe('')
    const days = timeTicks({ fromMs: 0, toMs: 30 * 24 * HOUR }, plot)
    expect(days.map(({ label }) => label).slice(0, 3)).toEqual(['1 Jan', '6 Jan', '11 Jan'])
    expect(timeTicks({ fromMs: 18 * HOUR, toMs: 90 * HOUR }, plot).map(({ label }) => label)).toContain('2 Jan')
    expect(timeTicks({ fromMs: HOUR, toMs: HOUR + 60_000 }, plot)[1]?.label).toBe('01:00:10')
    for (const width of [200, 272, 500, 900]) {
      const many = timeTicks(span, { left: 0, right: width })
      many.slice(1).forEach((tick, at) => {
        expect(tick.x - (many[at]?.x ?? 0)).toBeGreaterThanOrEqual(60)
      })
    }
  })
})

describe('cursor', () => {
  const events = [21 * HOUR, 24 * HOUR]
  const axis = { span, plot }

  it('snaps to an event within four pixels only', () => {
    const perPx = (span.toMs - span.fromMs) / 702
    expect(snapped(events, 21 * HOUR + 3 * perPx, span, plot)).toBe(21 * HOUR)
    expect(snapped(events, 21 * HOUR + 6 * perPx, span, plot)).toBe(21 * HOUR + 6 * perPx)
  })

  it('jumps from event to event and stays at the last', () => {
    expect(nextEvent(events, null, -1, span)).toBe(24 * HOUR)
    expect(nextEvent(events, 24 * HOUR, -1, span)).toBe(21 * HOUR)
    expect(nextEvent(events, 21 * HOUR, -1, span)).toBe(21 * HOUR)
    expect(nextEvent(events, 21 * HOUR, 1, span)).toBe(24 * HOUR)
  })

  it('knows its keys and no others', () => {
    const press = (key: string, shiftKey = false) => cursorKey({ key, shiftKey }, 22 * HOUR, events, axis)
    expect(press('ArrowLeft')).toBeLessThan(22 * HOUR)
    expect(press('ArrowRight', true)).toBe(24 * HOUR)
    expect(press('Home')).toBe(span.fromMs)
    expect(press('Escape')).toBeNull()
    expect(press('x')).toBeUndefined()
    expect(cursorKey({ key: 'ArrowRight', shiftKey: false }, span.toMs, events, axis)).toBe(span.toMs)
  })
})
