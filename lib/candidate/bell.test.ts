import { expect, it } from 'vitest'
import { Bell } from './bell.ts'

const later = () => new Promise<void>((resolve) => setImmediate(resolve))

it('wakes who waits, and is heard at once by who comes late', async () => {
  const bell = new Bell()
  let woken = 0
  void bell.next().then(() => {
    woken += 1
  })
  await later()
  expect(woken).toBe(0)
  bell.ring()
  await later()
  expect(woken).toBe(1)
  bell.ring()
  bell.ring()
  await bell.next()
  void bell.next().then(() => {
    woken += 1
  })
  await later()
  expect(woken).toBe(1)
})

it('loses no ring that comes while somebody is waking: what is read after that is newer than the ring', async () => {
  const bell = new Bell()
  let value = 0
  const read = bell.next().then(() => value)
  bell.ring()
  value = 1
  bell.ring()
  expect(await read).toBe(1)
})

it('stops waiting when told to, says so, and leaves no listener behind', async () => {
  const bell = new Bell()
  const stopping = new AbortController()
  const waiting = bell.nextOr(stopping.signal)
  stopping.abort()
  expect(await waiting).toBe(false)
  expect(await bell.nextOr(stopping.signal)).toBe(false)
  const other = new AbortController()
  let listening = 0
  const { addEventListener, removeEventListener } = other.signal
  other.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listening += 1
    addEventListener.apply(other.signal, args)
  }
  other.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listening -= 1
    removeEventListener.apply(other.signal, args)
  }
  bell.ring()
  expect(await bell.nextOr(other.signal)).toBe(true)
  expect(listening).toBe(0)
})
