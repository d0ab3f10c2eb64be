import { describe, expect, test } from 'vitest'
import { leaseFromDecimal } from './ids.ts'
import { identityOf, recognise } from './layouts.ts'

const lease = (decimal: string) => {
  const id = leaseFromDecimal(decimal)
  if (id === null) throw new Error('no lease')
  return id
}

describe('a lease id', () => {
  test('reads as etcdctl prints it, 16 digits, and whole above 2^53 (RC-01)', () => {
    expect(leaseFromDecimal('2777639186554634659')).toBe('268c281fa4cb41a3')
    expect(leaseFromDecimal('255')).toBe('00000000000000ff')
    expect(leaseFromDecimal('0')).toBeNull()
  })
})

describe('recognising an election', () => {
  test('by keys that carry their own lease id as Go writes it: hex without leading zeros', () => {
    expect(recognise('/e/job/ff', lease('255'), [])).toMatchObject({
      layout: 'queue',
      prefix: '/e/job/',
      confirmed: true,
    })
    expect(recognise('/e/job/00000000000000ff', lease('255'), [])).toBeNull()
    expect(recognise('/e/job/fe', lease('255'), [])).toBeNull()
  })

  test('keeps every slash of the prefix', () => {
    expect(recognise('/my-election//ff', lease('255'), [])?.prefix).toBe('/my-election//')
  })

  test('decimal is npm etcd3 under election/<name>/, and a look-alike elsewhere', () => {
    expect(recognise('election/job/255', lease('255'), [])?.confirmed).toBe(true)
    expect(recognise('ns/election/job/255', lease('255'), [])?.confirmed).toBe(true)
    expect(recognise('orders.rpc/255', lease('255'), [])).toMatchObject({ confirmed: false, layout: 'queue' })
  })

  test('a leased key with a leader’s name is a guess; a product’s own key is not (RC-04)', () => {
    expect(recognise('/app/leader', lease('1'), [])).toMatchObject({ layout: 'single-key', confirmed: false })
    expect(recognise('/service/pgA/leader', lease('1'), [])).toMatchObject({ layout: 'single-key', confirmed: true })
    expect(recognise('/service/pgA/members/pg1', lease('1'), [])).toBeNull()
    expect(recognise('/service/pgA/config', null, [])).toBeNull()
  })

  test('a configured pattern needs no lease and wins over a guess', () => {
    const patterns = [{ pattern: '/app/leader', layout: 'single-key' as const }]
    expect(recognise('/app/leader', null, patterns)).toMatchObject({
      confirmed: true,
      foundBy: 'configured pattern /app/leader',
    })
    expect(recognise('/app/x/leader', null, patterns)).toBeNull()
  })

  test('nothing of Kubernetes is ever confirmed', () => {
    expect(recognise('/registry/leases/ff', lease('255'), [])).toMatchObject({ confirmed: false })
  })
})

test('an identity is the value as text, cut at 200 characters', () => {
  expect(identityOf(Buffer.from('worker-a'))).toBe('worker-a')
  expect(identityOf(Buffer.alloc(0))).toBe('')
  expect(identityOf(Buffer.from([0, 0xff]))).toBe('\\x00\\xff')
  expect(identityOf(Buffer.alloc(1_000, 'x'))).toHaveLength(200)
  expect(identityOf(Buffer.alloc(1_000, 'x')).endsWith('…')).toBe(true)
})
