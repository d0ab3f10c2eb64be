import { request } from 'node:http'

export interface RawRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Raw HTTP: what a browser would not let a test send. Resolves with the status. */
export function rawRequest(
  port: number,
  { method = 'GET', path, headers = {}, body = '' }: RawRequest,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      resolve(response.statusCode)
      response.destroy()
    })
    asking.on('error', reject)
    asking.end(body)
  })
}
