import { createServer } from 'node:net'

// Below the range from which systems pick ports for outgoing connections (Linux: 32768 and up):
// a server that is stopped and started again finds its port still free.
const lowestPort = 20_000
const highestPort = 32_000

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** Different loopback ports that were free a moment ago. Another program may be quicker: callers retry. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = lowestPort + Math.floor(Math.random() * (highestPort - lowestPort))
    if (!ports.has(port) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  if (port === undefined) throw new Error('no free port')
  return port
}
