import { describe, expect, it } from 'vitest'
import type { Revision } from '../../lib/election/types.ts'
import { at, CLUSTER } from '../election/fixture.ts'
import { connectionWords } from './connection-words.ts'

const cluster = { ...CLUSTER, revision: '184906' as Revision }
const read = (...args: Parameters<typeof connectionWords>) => {
  const { word, before, bytes, after } = connectionWords(...args)
  return `${word} · ${before} ${bytes}${after}`.trim()
}

describe('the state of the view', () => {
  it('is live at a revision', () => {
    expect(read({ state: 'live' }, [cluster], at(60))).toBe('Live · revision 184,906')
  })

  it('is stale or unreachable since the last answer', () => {
    const stale = { ...cluster, freshness: 'stale' } as const
    expect(read({ state: 'live' }, [stale], at(60.25))).toBe('Stale · last revision 184,906, 15 s ago')
    const never = { ...cluster, freshness: 'unreachable', asOf: null } as const
    expect(read({ state: 'live' }, [never], at(60))).toBe('Unreachable · never seen')
  })

  it('is that of this tab first', () => {
    expect(read({ state: 'reconnecting', since: at(59), reason: 'x' }, [cluster], at(60))).toBe(
      'Reconnecting · since 03:59:00, 1 m ago',
    )
    expect(connectionWords({ state: 'connecting' }, [], null).word).toBe('Connecting')
  })

  it('names the clusters that are not live among several', () => {
    const others = [cluster, { ...cluster, name: 'prod-us', freshness: 'stale' } as const]
    expect(read({ state: 'live' }, others, at(60))).toBe('Stale · prod-us')
    expect(read({ state: 'live' }, [cluster, { ...cluster, name: 'b' }], at(60))).toBe('Live · 2 clusters')
  })
})
