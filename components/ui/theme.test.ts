import { describe, expect, it } from 'vitest'
import { nextTheme } from './theme.ts'

describe('nextTheme', () => {
  it('changes what is seen at the first press, whatever the system has, and comes round in three', () => {
    const light = nextTheme('system', 'dark')
    expect([light, nextTheme(light, 'dark'), nextTheme('dark', 'dark')]).toEqual(['light', 'dark', 'system'])
    expect(nextTheme('system', 'light')).toBe('dark')
  })
})
