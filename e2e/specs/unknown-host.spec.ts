import { type IncomingHttpHeaders, request } from 'node:http'
import { expect, test } from './support/test.ts'

interface Answer {
  status: number | undefined
  headers: IncomingHttpHeaders
  text: string
}

/** A browser sends the Host of the address it was given, whatever that name resolves to. */
function ask(port: number, host: string, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() })
      })
    })
      .on('error', reject)
      .end()
  })
}

test('another name that points here is refused with the setting that would allow it', async ({
  page,
  dashboard,
  shell,
}) => {
  for (const path of ['/', '/api/trpc/elections.list', '/api/health', '/_next/static/nothing.js']) {
    const { status, headers, text } = await ask(dashboard.port, `rebound.example:${dashboard.port}`, path)
    expect(status).toBe(421)
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(text).toContain('Tenure is not served as "rebound.example": set publicUrl (TENURE_PUBLIC_URL)')
  }
  for (const host of ['localhost', '127.0.0.1']) {
    expect((await ask(dashboard.port, `${host}:${dashboard.port}`, '/api/health')).status).toBe(200)
  }
  await page.goto(`http://localhost:${dashboard.port}/`)
  await shell.waitLive()
})
