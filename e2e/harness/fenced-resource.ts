/** A protected resource in a process of its own, so that no worker and no test delays its clock. */
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { FencingToken } from '../../lib/election/epoch.ts'
import { machineMs } from './machine-clock.ts'
import { spawnOwned } from './owned-process.ts'
import { makeTempFolder } from './temp-folder.ts'

/** One write that arrived. Times as of `machineMs`. */
export interface Attempt {
  worker: string
  token: FencingToken
  /** When the worker began the proof that it wrote on; null: written without one, on purpose. */
  provedMs: number | null
  sentMs: number
  atMs: number
  accepted: boolean
}

export type Question =
  | ({ id: number; ask: 'write'; resource: string } & Omit<Attempt, 'atMs' | 'accepted'>)
  | { id: number; ask: 'log'; resource: string }

export type Answer = { id: number } & ({ accepted: boolean } | { attempts: Attempt[] })

/** What a worker holds of it. A question that cannot be answered any more rejects. */
export class ResourceClient {
  private readonly socket
  private readonly waiting = new Map<number, PromiseWithResolvers<Answer>>()
  private nextId = 1

  constructor(path: string) {
    this.socket = connect(path)
    const fail = (error?: Error) => {
      for (const { reject } of this.waiting.values()) reject(error ?? new Error('the resource is gone'))
      this.waiting.clear()
    }
    this.socket.on('error', fail).on('close', () => fail())
    createInterface({ input: this.socket }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer
      this.waiting.get(answer.id)?.resolve(answer)
      this.waiting.delete(answer.id)
    })
  }

  /** Whether it was taken. */
  async write(write: { resource: string; worker: string; token: FencingToken; provedMs: number | null }) {
    const answer = await this.ask({ ask: 'write', ...write, sentMs: machineMs() })
    return 'accepted' in answer && answer.accepted
  }

  async log(resource: string): Promise<Attempt[]> {
    const answer = await this.ask({ ask: 'log', resource })
    return 'attempts' in answer ? answer.attempts : []
  }

  close(): void {
    this.socket.destroy()
  }

  private ask(question: object): Promise<Answer> {
    const id = this.nextId
    this.nextId += 1
    const asked = Promise.withResolvers<Answer>()
    this.waiting.set(id, asked)
    this.socket.write(`${JSON.stringify({ id, ...question })}\n`)
    return asked.promise
  }
}

export interface FencedResource {
  readonly socket: string
  /** Every attempt to write to this resource, in the order of arrival. */
  log(resource: string): Promise<Attempt[]>
  stop(): Promise<void>
}

export async function startFencedResource(): Promise<FencedResource> {
  const folder = makeTempFolder('resource')
  const socket = join(folder.path, 'resource.sock')
  const ready = Promise.withResolvers<void>()
  const program = join(import.meta.dirname, 'fenced-resource-program.ts')
  const server = spawnOwned(process.execPath, [program, socket], { onLine: () => ready.resolve() })
  void server.exited.then(() => ready.reject(new Error('the resource ended')))
  await ready.promise
  const client = new ResourceClient(socket)
  return {
    socket,
    log: (resource) => client.log(resource),
    stop: async () => {
      client.close()
      await server.kill()
      folder.remove()
    },
  }
}
