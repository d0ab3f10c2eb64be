/** `instant` for tens of thousands of times that lie close together: the date of a day is made once. */
import { type Instant, instant } from '../../lib/shared/clock.ts'

const DAY_MS = 86_400_000
const two = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const three = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

export function instantMaker(): (ms: number) => Instant {
  const dates = new Map<number, string>()
  return (ms) => {
    const day = Math.floor(ms / DAY_MS)
    let date = dates.get(day)
    if (date === undefined) {
      date = instant(day * DAY_MS).slice(0, -'00:00:00.000Z'.length)
      dates.set(day, date)
    }
    const left = ms - day * DAY_MS
    const s = Math.floor(left / 1000)
    return `${date}${two[Math.floor(s / 3600)]}:${two[Math.floor(s / 60) % 60]}:${two[s % 60]}.${three[left % 1000]}Z`
  }
}
