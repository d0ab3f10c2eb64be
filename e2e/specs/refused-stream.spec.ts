import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Shell } from '../pages/shell.ts'
import { expect, test } from './support/test.ts'

/** A proxy in front of Tenure that hands on everything but the stream. */
async function proxyWithoutStream(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer(({ url = '', method, headers }, answer) => {
    if (url.includes('live.events')) return void answer.writeHead(502, { 'content-type': 'text/html' }).end('no')
    request({ host: '127.0.0.1', port, path: url, method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

for (const shared of [true, false]) {
  const how = shared ? 'shared by tabs' : 'of its own'
  test(`a page whose stream ${how} is refused says so instead of waiting for ever`, async ({ page, dashboard }) => {
    if (!shared) {
      await page.addInitScript(() => {
        Reflect.deleteProperty(globalThis, 'SharedWorker')
      })
    }
    const { server, url } = await proxyWithoutStream(dashboard.port)
    try {
      await page.goto(url)
      const shell = new Shell(page)
      await expect(shell.connection).toHaveText('Reconnecting')
      await expect(shell.banner('This page has not reached Tenure yet: no stream of events came back.')).toBeVisible()
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
}
