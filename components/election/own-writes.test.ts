import { describe, expect, it } from 'vitest'
import { arrived, type SeenAddress, withWrite } from './own-writes.ts'

const start: SeenAddress = { search: '', awaited: [] }

describe('the address of the list', () => {
  it('is not taken for a change by somebody else when what was typed comes back late', () => {
    const typed = withWrite(withWrite(start, 'q=a'), 'q=ab')
    const first = arrived(typed, 'q=a')
    expect(first.isOwn).toBe(true)
    expect(arrived(first.seen, 'q=ab')).toEqual({ seen: { search: 'q=ab', awaited: [] }, isOwn: true })
  })

  it('may skip what was overwritten before it came back', () => {
    const typed = withWrite(withWrite(start, 'q=a'), 'q=ab')
    expect(arrived(typed, 'q=ab')).toEqual({ seen: { search: 'q=ab', awaited: [] }, isOwn: true })
  })

  it('changes by a link, and what was awaited then is no longer', () => {
    const { seen, isOwn } = arrived(withWrite(start, 'q=a'), 'cluster=b')
    expect(isOwn).toBe(false)
    expect(arrived(seen, 'q=a').isOwn).toBe(false)
  })
})
