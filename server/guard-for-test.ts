/** A server behind the guard, and requests to it as no browser or library would mend them: for tests. */
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Config, configSchema } from './config/schema.ts'
import { allowedHosts, guard } from './guard.ts'

const servers: Server[] = []

export function stopServing(): void {
  for (const server of servers.splice(0)) server.close()
}

export function configured(settings: Record<string, unknown> = {}): Config {
  const clusters = [{ name: 'eu', endpoints: ['http://127.0.0.1:2379'], watch: ['/e/'] }]
  return configSchema.parse({ clusters, ...settings })
}

/** A server behind the guard that answers with the headers it was handed on. */
export async function serve(settings: Record<string, unknown> = {}, development = false): Promise<number> {
  const config = configured(settings)
  const hosts = allowedHosts(config)
  const server = createServer((incoming, outgoing) => {
    if (guard(incoming, outgoing, config, { hosts, development })) outgoing.end(JSON.stringify(incoming.headers))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

interface Asked {
  method?: string
  path?: string
}

/** Raw, so that any header can be sent as it is. */
export function ask(port: number, headers: Record<string, string> = {}, how: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, headers, agent: false, ...how }, async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
    asking.on('error', reject)
    asking.end()
  })
}
