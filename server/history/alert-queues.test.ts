import { describe, expect, test } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import { MOST_WAITING, Queues } from './alert-queues.ts'
import type { Message } from './outbox.ts'

const NOW = instant(Date.parse('2026-03-12T03:00:00Z'))

describe('a channel that is away for long', () => {
  test('loses first what was over meanwhile, then warnings; nobody is told of an end alone', () => {
    const queues = new Queues(() => {})
    const alert = (n: number, severity: 'critical' | 'warning') => ({
      id: `a${n}`,
      key: `k${n}`,
      severity,
      summary: `${n}`,
    })
    const add = (n: number, kind: 'firing' | 'resolved', severity: 'critical' | 'warning' = 'warning') =>
      queues.add('sink', { id: `${kind}${n}`, kind, at: NOW, alert: alert(n, severity) } as unknown as Message)
    for (let n = 0; n < MOST_WAITING - 2; n += 1) add(n, 'firing', 'critical')
    add(5, 'resolved', 'critical')
    add(MOST_WAITING, 'firing')
    add(MOST_WAITING + 1, 'firing', 'critical')
    expect(queues.waiting('sink')).toBe(MOST_WAITING - 1)
    add(MOST_WAITING + 2, 'firing', 'critical')
    add(MOST_WAITING + 3, 'firing', 'critical')
    expect(queues.waiting('sink')).toBe(MOST_WAITING)
    add(MOST_WAITING, 'resolved')
    expect(queues.waiting('sink')).toBe(MOST_WAITING)
  })
})
