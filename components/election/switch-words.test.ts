import { expect, it } from 'vitest'
import { stoppedWords } from './switch-words.ts'

it('names who stopped it, and nobody where the record cannot be read', () => {
  expect(stoppedWords({ by: 'Anna', reason: 'bad data' })).toBe('stopped by Anna: bad data')
  expect(stoppedWords({ by: '', reason: 'the record cannot be read' })).toBe('stopped: the record cannot be read')
})
