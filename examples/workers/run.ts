// node examples/workers/run.ts <endpoints, comma separated> <JSON array of seats>
// One process of sample workers. Each line of standard input is a command: `resign <name>` or
// `leave <name>`. Each line of standard output is what happened, as JSON.
import { createInterface } from 'node:readline'
import { connect } from './etcd-client.ts'
import { startRawCandidate } from './raw-candidate.ts'
import { startRegistryEntry } from './registry.ts'
import type { Report, Seat, SeatControl } from './seat.ts'
import { startSingleKeyMember } from './single-key.ts'

const [endpoints = '', seatsJson = '[]'] = process.argv.slice(2)
const seats: Seat[] = JSON.parse(seatsJson)
const client = connect(endpoints.split(','))
const running = new Map<string, SeatControl>()

const starters = {
  queue: startRawCandidate,
  'single-key': startSingleKeyMember,
  registry: startRegistryEntry,
}

for (const seat of seats) {
  const report: Report = (event) => process.stdout.write(`${JSON.stringify({ ...event, name: seat.name })}\n`)
  running.set(seat.name, starters[seat.kind](client, seat, report))
}

async function leaveAll(): Promise<void> {
  await Promise.all([...running.values()].map((seat) => seat.leave()))
  process.exit(0)
}

process.on('SIGTERM', leaveAll)
process.on('SIGINT', leaveAll)
process.stdout.on('error', () => process.exit(1))

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [command, name = ''] = line.split(' ', 2)
    const seat = running.get(name)
    if (command === 'resign') seat?.resign()
    if (command === 'leave') void seat?.leave()
  })
  // Whoever started us is gone, and so must we be: without a farewell, as a crashed machine would.
  .on('close', () => process.exit(0))
