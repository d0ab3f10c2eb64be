import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Auth } from './auth/auth.ts'
import { gate } from './gate.ts'
import { ask } from './guard-for-test.ts'

/** The cookie is the actor. */
const auth: Pick<Auth, 'whoIs'> = {
  whoIs: async (headers) => {
    const cookie = headers.get('cookie')
    if (cookie === 'broken') throw new Error('the database is gone')
    if (cookie === 'anonymous') return { kind: 'anonymous', role: 'viewer' }
    return headers.has('authorization') ? 'bad-token' : null
  },
}
let server: Server
let port: number
beforeAll(async () => {
  server = createServer((request, response) => {
    gate(request, response, auth as Auth)
      .then((passes) => passes && response.end('the page'))
      .catch(() => response.writeHead(503).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

describe('a page', () => {
  test('is for who may look; others are sent to sign in, and come back after it', async () => {
    expect((await ask(port, { cookie: 'anonymous' }, { path: '/people' })).body).toBe('the page')
    const answer = await ask(port, {}, { path: '/elections/eu/q~x?range=1h' })
    expect([answer.status, answer.headers.location]).toEqual([307, '/sign-in?to=%2Felections%2Feu%2Fq~x%3Frange%3D1h'])
    expect((await ask(port)).headers.location).toBe('/sign-in')
    expect((await ask(port, {}, { path: '/?q=a' })).headers.location).toBe('/sign-in?to=%2F%3Fq%3Da')
    expect((await ask(port, { authorization: 'Bearer x' })).status).toBe(307)
  })

  test.each(['/sign-in', '/set-up', '/_next/static/a.js', '/api/trpc/account.me', '/icon.svg', '/metrics'])(
    '%s is for everybody',
    async (path) => expect((await ask(port, {}, { path })).status).toBe(200),
  )

  test.each([
    '/sign-in/../people',
    '/_next/../people',
    '/_next/%2e%2e/people',
    '/_next\\..\\people',
    '/sign-input',
    '/metrics/x',
  ])('%s is not', async (path) => expect((await ask(port, {}, { path })).status).toBe(307))

  test('is for nobody while it cannot be found out who asks', async () => {
    expect((await ask(port, { cookie: 'broken' })).status).toBe(503)
  })
})
