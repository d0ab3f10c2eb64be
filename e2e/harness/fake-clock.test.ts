import { afterAll, expect, test } from 'vitest'
import { hasFakeClock, makeFakeClock } from './fake-clock.ts'
import { spawnOwned } from './owned-process.ts'
import { makeTempFolder } from './temp-folder.ts'

const folder = makeTempFolder('fake-clock')
afterAll(() => folder.remove())

const SAY = 'setInterval(() => console.log(JSON.stringify({ wall: Date.now(), mono: performance.now() })), 100)'
const skip = hasFakeClock ? '' : ' (skipped: libfaketime is not here)'

test.runIf(hasFakeClock)(
  `steps the wall clock of a running process, and not its monotonic one${skip}`,
  async () => {
    const clock = makeFakeClock(folder.path)
    const told: { wall: number; mono: number }[] = []
    const child = spawnOwned(process.execPath, ['-e', SAY], {
      env: { ...process.env, ...clock.env },
      onLine: (line) => told.push(JSON.parse(line)),
    })
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    while (told.length < 3) await wait(50)
    const before = told.at(-1)
    clock.step(3_600)
    while ((told.at(-1)?.wall ?? 0) - Date.now() < 3_000_000) await wait(50)
    const after = told.at(-1)
    await child.kill()
    if (before === undefined || after === undefined) throw new Error('the process said nothing')
    expect(after.wall - before.wall).toBeGreaterThan(3_590_000)
    expect(after.mono - before.mono).toBeLessThan(30_000)
  },
  30_000,
)
