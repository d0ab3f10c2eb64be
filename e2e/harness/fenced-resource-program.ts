// node e2e/harness/fenced-resource-program.ts <socket>
// The resource that an election protects: takes a write only with a token that is not below the highest it
// has taken, and writes every attempt down. One JSON object a line, both ways.
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { compareTokens, type FencingToken } from '../../lib/election/epoch.ts'
import type { Answer, Attempt, Question } from './fenced-resource.ts'
import { machineMs } from './machine-clock.ts'

const attempts = new Map<string, Attempt[]>()
const highest = new Map<string, FencingToken>()

function judge(question: Extract<Question, { ask: 'write' }>): boolean {
  const { resource, worker, token, provedMs, sentMs } = question
  const before = highest.get(resource)
  const accepted = before === undefined || compareTokens(token, before) >= 0
  if (accepted) highest.set(resource, token)
  const log = attempts.get(resource) ?? []
  log.push({ worker, token, provedMs, sentMs, atMs: machineMs(), accepted })
  attempts.set(resource, log)
  return accepted
}

function answer(question: Question): Answer {
  if (question.ask === 'log') return { id: question.id, attempts: attempts.get(question.resource) ?? [] }
  return { id: question.id, accepted: judge(question) }
}

const server = createServer((socket: Socket) => {
  // A worker that is killed in the middle of a write is what this is for.
  socket.on('error', () => socket.destroy())
  createInterface({ input: socket })
    .on('line', (line) => socket.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`))
    .on('error', () => socket.destroy())
})
server.listen(process.argv[2], () => process.stdout.write('ready\n'))
