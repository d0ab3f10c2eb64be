import type { Caller } from './caller.ts'

const person = (name: string, role: Caller['role']): Caller => ({
  role,
  actor: { kind: 'person', name, personId: `id-${name}`, address: '127.0.0.1' },
})
export const ANN = person('Ann', 'operator')
export const BEN = person('Ben', 'operator')
export const ADA = person('Ada', 'admin')
export const VIC = person('Vic', 'viewer')

let operations = 0
export const newOperation = () => {
  operations += 1
  return `op-${process.pid}-${operations}`.padEnd(12, 'x')
}
