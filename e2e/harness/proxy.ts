import { createServer, type Server, Socket } from 'node:net'
import { Transform } from 'node:stream'
import { freePort } from './ports.ts'

/**
 * - `pass`: bytes go through at once.
 * - `black-hole`: everything is accepted and nothing answered, sockets stay open. What was sent
 *   meanwhile arrives when the mode ends, as TCP sends it again after a network partition.
 * - `no-requests`, `no-answers`: a black hole in one direction, what a half-open connection is.
 * - `lose-requests`: what is sent is thrown away. Reset the connections before anything passes again.
 * - `refuse`: open connections are closed, new ones refused.
 * - `reset`: open connections and every new one are answered with a reset.
 * - `delay`: each direction takes `delayMs` longer.
 */
export type ProxyMode =
  | 'pass'
  | 'black-hole'
  | 'no-requests'
  | 'no-answers'
  | 'lose-requests'
  | 'refuse'
  | 'reset'
  | 'delay'

export interface NetworkProxy {
  readonly endpoint: string
  readonly port: number
  readonly mode: ProxyMode
  /** Client connections that are open now. */
  readonly connections: number
  setMode(mode: ProxyMode, options?: { delayMs?: number }): Promise<void>
  stop(): Promise<void>
}

interface Gate {
  readonly isShut: boolean
  readonly delayMs: number
  readonly loses?: boolean
  /** Settles when the gate opens. */
  opened: Promise<void>
}

/** One direction of one connection: waits at the gate, then out the delay, never out of order. */
function passage(gate: () => Gate): Transform {
  let last = Promise.resolve()
  return new Transform({
    readableHighWaterMark: 1 << 20,
    writableHighWaterMark: 1 << 20,
    transform(chunk, _encoding, done) {
      const { delayMs, loses } = gate()
      if (loses) return done()
      const ready = delayMs > 0 ? new Promise<void>((resolve) => setTimeout(resolve, delayMs)) : Promise.resolve()
      last = last
        .then(() => ready)
        .then(() => waitOpen(gate))
        .then(() => void this.push(chunk))
      // With a delay the next chunk may start its own wait; at a shut gate it has to queue up.
      if (gate().isShut || delayMs === 0) void last.then(() => done())
      else done()
    },
    flush(done) {
      void last.then(() => waitOpen(gate)).then(() => done())
    },
  })
}

async function waitOpen(gate: () => Gate): Promise<void> {
  while (gate().isShut) await gate().opened
}

function openGate(delayMs: number): Gate {
  return { isShut: false, delayMs, opened: Promise.resolve() }
}

function shutGate(): { gate: Gate; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { gate: { isShut: true, delayMs: 0, opened: promise }, open: resolve }
}

/** What requests pass, and what answers pass. */
interface Gates {
  toTarget: () => Gate
  toClient: () => Gate
}

/** Waits at the gate before it connects, so that the target sees nothing of a connection made meanwhile. */
async function join(client: Socket, target: { host: string; port: number }, gates: Gates): Promise<void> {
  const { toTarget, toClient } = gates
  client.setNoDelay(true).on('error', () => client.destroy())
  await waitOpen(toTarget)
  if (client.destroyed) return
  const upstream = new Socket({ allowHalfOpen: true }).setNoDelay(true).connect(target)
  upstream.on('error', () => client.destroy())
  client.pipe(passage(toTarget)).pipe(upstream)
  upstream.pipe(passage(toClient)).pipe(client)
  // A connection that closed on one side must not look closed on the other while the gate is shut.
  client.on('close', () => void waitOpen(toTarget).then(() => upstream.destroy()))
  upstream.on('close', () => void waitOpen(toClient).then(() => client.destroy()))
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1' }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** On a port that stays its own while it refuses: nothing that connects somewhere is given it meanwhile. */
async function listenAnywhere(server: Server): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    try {
      await listen(server, port)
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === 5) throw error
    }
  }
}

/** A TCP proxy before one target (`http://127.0.0.1:2379` or `host:port`) whose network can be broken. */
export async function startProxy({ target }: { target: string }): Promise<NetworkProxy> {
  const { hostname: host, port: targetPort, protocol } = new URL(target.includes('://') ? target : `http://${target}`)
  const clients = new Set<Socket>()
  let mode: ProxyMode = 'pass'
  let gates = { toTarget: openGate(0), toClient: openGate(0) }
  let open = () => {}

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (mode === 'reset') return void client.resetAndDestroy()
    clients.add(client)
    client.on('close', () => clients.delete(client))
    void join(
      client,
      { host, port: Number(targetPort) },
      {
        toTarget: () => gates.toTarget,
        toClient: () => gates.toClient,
      },
    )
  })
  const port = await listenAnywhere(server)

  const dropClients = (how: 'destroy' | 'resetAndDestroy') => {
    for (const client of clients) client[how]()
  }
  const close = () => new Promise<void>((resolve) => (server.listening ? server.close(() => resolve()) : resolve()))

  return {
    endpoint: `${protocol}//127.0.0.1:${port}`,
    port,
    get mode() {
      return mode
    },
    get connections() {
      return clients.size
    },
    setMode: async (next, { delayMs = 100 } = {}) => {
      mode = next
      const reopen = open
      const shut = shutGate()
      const free = openGate(next === 'delay' ? delayMs : 0)
      gates = {
        toTarget:
          next === 'black-hole' || next === 'no-requests'
            ? shut.gate
            : { ...free, ...(next === 'lose-requests' ? { loses: true } : {}) },
        toClient: next === 'black-hole' || next === 'no-answers' ? shut.gate : free,
      }
      open = shut.open
      if (next === 'refuse') dropClients('destroy')
      if (next === 'reset') dropClients('resetAndDestroy')
      reopen()
      if (next === 'refuse') await close()
      else if (!server.listening) await listen(server, port)
    },
    stop: async () => {
      mode = 'reset'
      dropClients('resetAndDestroy')
      gates = { toTarget: openGate(0), toClient: openGate(0) }
      open()
      await close()
    },
  }
}
