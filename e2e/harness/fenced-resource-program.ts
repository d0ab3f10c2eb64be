// node e2e/harness/fenced-resource-program.ts <socket>
// The resource that an election protects: the guard of the library takes a write only with a token that is not
// below the highest it has taken, and every attempt is written down. One JSON object a line, both ways.
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { memoryFence, StaleTokenError } from '../../lib/fencing/index.ts'
import type { Answer, Attempt, Question } from './fenced-resource.ts'
import { machineMs } from './machine-clock.ts'

const attempts = new Map<string, Attempt[]>()
const fence = memoryFence()

function note(resource: string, attempt: Attempt): void {
  const log = attempts.get(resource) ?? []
  log.push(attempt)
  attempts.set(resource, log)
}

async function write({ resource, worker, token, provedMs, sentMs }: Extract<Question, { ask: 'write' }>) {
  const arrived = { worker, token, provedMs, sentMs, atMs: machineMs() }
  try {
    await fence.write({ resource, token }, () => note(resource, { ...arrived, accepted: true }))
    return true
  } catch (error) {
    if (!(error instanceof StaleTokenError)) throw error
    note(resource, { ...arrived, accepted: false })
    return false
  }
}

async function answer(question: Question): Promise<Answer> {
  if (question.ask === 'log') return { id: question.id, attempts: attempts.get(question.resource) ?? [] }
  return { id: question.id, accepted: await write(question) }
}

const server = createServer((socket: Socket) => {
  // A worker that is killed in the middle of a write is what this is for.
  socket.on('error', () => socket.destroy())
  createInterface({ input: socket })
    .on('line', async (line) => socket.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`))
    .on('error', () => socket.destroy())
})
server.listen(process.argv[2], () => process.stdout.write('ready\n'))
