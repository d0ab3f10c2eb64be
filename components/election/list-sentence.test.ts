import { describe, expect, it } from 'vitest'
import { at } from './fixture.ts'
import { listSentence } from './list-sentence.ts'

const counts = { all: 86, attention: 2, by: { leaderless: 1, flapping: 1, 'handing-off': 1, healthy: 83 } }
const read = (...args: Parameters<typeof listSentence>) => {
  const { strong, rest } = listSentence(...args)
  return `${strong} ${rest}`.trim()
}

describe('the sentence of the list', () => {
  it('says how many need attention and what the rest do', () => {
    expect(read(counts, null)).toBe(
      '2 of 86 elections need attention. 1 has no leader, 1 is flapping, 1 is handing off, 83 are healthy.',
    )
  })

  it('is short when all is well', () => {
    expect(read({ all: 3, attention: 0, by: { healthy: 3 } }, null)).toBe('All 3 elections are healthy.')
    expect(read({ all: 0, attention: 0, by: {} }, null)).toBe('There are no elections yet.')
  })

  it('claims nothing of now when nothing is live', () => {
    expect(read(counts, { who: 'prod-eu', since: at(0), all: true })).toBe(
      'prod-eu has not answered since 03:00:00 UTC. Who leads the 86 elections now is unknown; below is what was seen last.',
    )
  })

  it('names a cluster that cannot be seen beside those that can', () => {
    expect(read(counts, { who: 'prod-us', since: null, all: false })).toContain(
      '83 are healthy. prod-us cannot be seen.',
    )
  })
})
