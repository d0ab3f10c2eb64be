import { expect, test } from 'vitest'
import { Troubles } from './troubles.ts'

function recorder() {
  const lines: string[] = []
  let mono = 0
  const write = (fields: object, message: string) =>
    lines.push(`${message} ${(fields as { times?: number }).times ?? ''}`.trim())
  const clock = { nowMs: () => mono, monoMs: () => mono }
  const troubles = new Troubles({ cluster: 'c', clock, log: { info: write, warn: write, error: write } })
  return { lines, troubles, pass: (ms: number) => (mono += ms) }
}

test('a lasting fault is a line a minute, with its count', () => {
  const { lines, troubles, pass } = recorder()
  for (let n = 0; n < 150; n += 1) {
    troubles.note('watch', 'refused')
    pass(1_000)
  }
  expect(lines).toEqual(['watch in trouble 1', 'watch in trouble 60', 'watch in trouble 60'])
})

test('a fault that comes and goes does not write more than that', () => {
  const { lines, troubles, pass } = recorder()
  for (let n = 0; n < 50; n += 1) {
    troubles.note('watch', 'refused')
    troubles.resolved('watch')
    pass(1_000)
  }
  expect(lines).toEqual(['watch in trouble 1', 'watch well again'])
})
