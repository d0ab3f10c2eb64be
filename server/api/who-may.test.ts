/** Every procedure, asked over HTTP's own requests by each who may come. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { steadyClock } from '../../lib/shared/clock.ts'
import { cameFrom, type TestAuth, testAuth } from '../auth/auth-for-test.ts'
import { configSchema } from '../config/schema.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import type { Runtime } from '../runtime-slot.ts'
import { Hub } from '../watch/hub.ts'
import { shapes } from './account-shapes-for-test.ts'
import { actionsOn } from './actions-for-test.ts'
import { answer } from './answer.ts'
import { appRouter } from './router.ts'

const clusters = [{ name: 'eu', endpoints: ['http://127.0.0.1:2379'], watch: ['/e/'] }]
let at: TestAuth
let hub: Hub
let settings: Record<string, unknown> = {}
beforeEach(async () => {
  settings = {}
  at = await testAuth()
  hub = new Hub({ clock: steadyClock(), bootId: 'boot', build: 'build' })
})
afterEach(() => {
  hub.stop()
  at.close()
})

function runtime(): Runtime {
  const config = configSchema.parse({ clusters, ...settings })
  const clock = steadyClock()
  const audit = new FakeAudit()
  const actions = actionsOn(audit)
  return { actions, audit, config, clock, hub, auth: at.auth, watchers: new Map() } as unknown as Runtime
}

/** A stream that is refused is a stream of one event, by which tRPC tells its client why. */
async function firstOf(response: Response): Promise<Told> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!/serialized-error\ndata: .*\n|\nid: /.test(text)) text += (await reader?.read())?.value ?? ''
  await reader?.cancel()
  if (!text.includes('serialized-error')) return { status: response.status, data: 'stream' }
  const { data } = JSON.parse(/serialized-error\ndata: (.*)/.exec(text)?.[1] ?? '')
  return { status: data.httpStatus, data: undefined, refusal: data.refusal?.code }
}

interface Told {
  status: number
  data: unknown
  refusal?: string
}

async function ask(path: string, headers: Headers, input?: object): Promise<Told> {
  const isMutation = typeOf(path) === 'mutation'
  const query = isMutation || input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const own = new Headers(headers)
  own.set('content-type', 'application/json')
  const init = isMutation ? { method: 'POST', body: JSON.stringify(input ?? {}) } : {}
  const response = await answer(
    new Request(`http://localhost/api/trpc/${path}${query}`, { headers: own, ...init }),
    runtime(),
  )
  if (response.headers.get('content-type')?.includes('event-stream')) return firstOf(response)
  const json = JSON.parse(await response.text())
  if (path in shapes && response.ok) shapes[path as keyof typeof shapes].parse(json.result.data)
  return { status: response.status, data: json.result?.data, refusal: json.error?.data?.refusal?.code }
}

const bearer = (secret: string) => cameFrom({ authorization: `Bearer ${secret}` })
const known = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
const procedures = () => Object.keys(known)
const typeOf = (path: string) => known[path]?._def.type
const ADMINS = procedures().filter((path) => path.startsWith('people.'))

test('a change without input is done although nothing was sent, as browsers do it', async () => {
  await at.add('ada', 'viewer')
  const headers = new Headers(await at.signedIn('ada'))
  headers.set('content-type', 'application/json')
  const url = 'http://localhost/api/trpc/account.signOutEverywhere'
  expect((await answer(new Request(url, { headers, method: 'POST' }), runtime())).status).toBe(200)
})

describe('somebody who did not sign in', () => {
  test('is answered by one procedure alone, which says how to sign in', async () => {
    for (const path of procedures()) {
      const { status, refusal, data } = await ask(path, cameFrom())
      if (path === 'account.me')
        expect([status, data]).toMatchObject([200, { who: null, signIn: 'required', needsSetUp: true }])
      else expect([path, status, refusal]).toEqual([path, 401, 'not-signed-in'])
    }
  })

  test('looks, and does no more, where anonymous viewing is on', async () => {
    settings = { anonymousViewing: true }
    at = await at.reopen(settings)
    expect((await ask('clusters.list', cameFrom())).status).toBe(200)
    expect((await ask('live.events', cameFrom())).data).toBe('stream')
    for (const path of ADMINS) expect([path, (await ask(path, cameFrom())).refusal]).not.toEqual([path, undefined])
    for (const path of ['account.sessions', 'account.makeToken', 'account.signOutEverywhere']) {
      const { status } = await ask(path, cameFrom(), { name: 'n', role: 'viewer' })
      expect([path, status]).toEqual([path, 401])
    }
  })

  test('with a token that is none is told so, also where anybody may look', async () => {
    at = await at.reopen({ anonymousViewing: true })
    expect(await ask('clusters.list', bearer('tenure_nonsense'))).toMatchObject({
      status: 401,
      refusal: 'not-signed-in',
    })
  })
})

describe('people', () => {
  test.each(['viewer', 'operator'] as const)('a %s looks, and manages nobody', async (role) => {
    await at.add('ada', role)
    const headers = await at.signedIn('ada')
    expect((await ask('clusters.list', headers)).status).toBe(200)
    expect((await ask('live.events', headers)).data).toBe('stream')
    const input = { id: 'x', role: 'admin', name: 'n', email: 'n@example.org' }
    for (const path of ADMINS)
      expect([path, await ask(path, headers, input)]).toMatchObject([path, { status: 403, refusal: 'role' }])
    expect(at.accounts.people.count).toBe(1)
  })

  test('an admin adds, changes and disables others, and is refused as the last one', async () => {
    const root = await at.add('root', 'admin')
    const headers = await at.signedIn('root')
    const added = await ask('people.add', headers, { name: 'Bob', email: 'Bob@example.org', role: 'operator' })
    const { person, secret } = added.data as { person: { id: string }; secret: string }
    expect(at.accounts.entrance.lookAtLink(secret)).toEqual({ name: 'Bob', email: 'bob@example.org' })
    expect((await ask('people.add', headers, { name: 'Bob', email: 'bob@example.org', role: 'viewer' })).status).toBe(
      409,
    )
    expect((await ask('people.setRole', headers, { id: person.id, role: 'viewer' })).data).toMatchObject({
      role: 'viewer',
    })
    expect((await ask('people.disable', headers, { id: person.id })).data).toMatchObject({ disabled: true })
    expect((await ask('people.enable', headers, { id: person.id })).data).toMatchObject({ disabled: false })
    expect((await ask('people.disable', headers, { id: root.id })).status).toBe(409)
    expect((await ask('people.disable', headers, { id: 'nobody' })).status).toBe(404)
    const { data } = await ask('people.list', headers)
    expect(JSON.stringify(data)).not.toMatch(/password"?:|hash/)
    expect(data).toMatchObject({
      people: [
        { name: 'Bob', signsInBy: [] },
        { name: 'root', signsInBy: ['password'] },
      ],
    })
  })

  test('account.me says who it is', async () => {
    await at.add('ada', 'operator')
    const who = { kind: 'person', name: 'ada', email: 'ada@example.org', role: 'operator' }
    expect((await ask('account.me', await at.signedIn('ada'))).data).toMatchObject({ who, needsSetUp: false })
  })
})

describe('a token', () => {
  test('is made for at most the own role, and does no more', async () => {
    await at.add('ada', 'operator')
    const headers = await at.signedIn('ada')
    expect((await ask('account.makeToken', headers, { name: 'ci', role: 'admin' })).status).toBe(403)
    const { data } = await ask('account.makeToken', headers, { name: 'ci', role: 'viewer' })
    const { secret, token } = data as { secret: string; token: { id: string } }
    expect((await ask('account.me', bearer(secret))).data).toMatchObject({
      who: { kind: 'token', role: 'viewer', token: 'ci' },
    })
    expect((await ask('clusters.list', bearer(secret))).status).toBe(200)
    expect((await ask('account.tokens', headers)).data).toMatchObject({ tokens: [{ id: token.id, name: 'ci' }] })
    await ask('account.revokeToken', headers, { id: token.id })
    expect((await ask('clusters.list', bearer(secret))).status).toBe(401)
  })

  test('makes no tokens and manages no people, even that of an admin', async () => {
    const { id } = await at.add('root', 'admin')
    const { secret } = at.accounts.tokens.make(id, { name: 'ci', role: 'admin' })
    const input = { id, role: 'admin', name: 'n', email: 'n@example.org' }
    const own = procedures().filter((path) => path.startsWith('account.') && path !== 'account.me')
    for (const path of [...ADMINS, ...own]) {
      expect([path, (await ask(path, bearer(secret), input)).status]).toEqual([path, 403])
    }
    expect(at.accounts.tokens.of(id)).toHaveLength(1)
  })
})

describe('what changes something', () => {
  test('is not done by a GET', async () => {
    const { id } = await at.add('root', 'admin')
    const other = await at.add('ada', 'viewer')
    const headers = await at.signedIn('root')
    const input = { id: other.id, role: 'admin', name: 'n', email: 'n@example.org' }
    const changing = procedures().filter((path) => typeOf(path) === 'mutation')
    expect(changing.length).toBeGreaterThan(8)
    for (const path of changing) {
      const url = `http://localhost/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
      expect([path, (await answer(new Request(url, { headers }), runtime())).status]).toEqual([path, 405])
    }
    expect(at.accounts.people.find(other.id)).toMatchObject({ role: 'viewer', disabled: false })
    expect(at.accounts.tokens.of(id)).toEqual([])
  })
})

describe('the shapes of the answers', () => {
  test('are those of docs/api.md, each of them', async () => {
    const { id } = await at.add('root', 'admin')
    const other = await at.add('ada', 'viewer')
    const headers = await at.signedIn('root')
    const token = at.accounts.tokens.make(id, { name: 'ci', role: 'viewer' }).token.id
    const inputs: Record<string, object> = {
      'account.makeToken': { name: 'n', role: 'viewer' },
      'account.revokeToken': { id: token },
      'people.add': { name: 'n', email: 'n@example.org', role: 'viewer' },
      'people.setRole': { id: other.id, role: 'operator' },
    }
    await at.signedIn('root')
    const [session] = await at.accounts.sessions.of(id)
    const paths = Object.keys(shapes).sort(
      (a, b) => Number(a.includes('Everywhere')) - Number(b.includes('Everywhere')),
    )
    expect(
      procedures()
        .filter((path) => /^(account|people)\./.test(path))
        .sort(),
    ).toEqual([...paths].sort())
    for (const path of paths) {
      const own = path === 'account.endSession' ? { id: session?.id } : { id: other.id }
      expect([path, (await ask(path, headers, inputs[path] ?? own)).status]).toEqual([path, 200])
    }
  })
})

describe('a running stream', () => {
  const until = { signOut: 'signs out', disable: 'is disabled', revoke: 'has the token revoked' }

  test.each(Object.entries(until))('ends when who opened it %s: %s', async (how) => {
    await at.add('root', 'admin')
    const { id } = await at.add('ada', 'operator')
    const made = at.accounts.tokens.make(id, { name: 'ci', role: 'viewer' })
    const headers = how === 'revoke' ? bearer(made.secret) : await at.signedIn('ada')
    const response = await answer(new Request('http://localhost/api/trpc/live.events', { headers }), runtime())
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    await reader?.read()
    if (how === 'signOut') await at.accounts.entrance.signOut(headers)
    else if (how === 'disable') await at.accounts.people.disable(id)
    else at.accounts.tokens.revoke(id, made.token.id)
    let last = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) last = part.value
    expect(last).toContain('event: return')
    expect(await ask('live.events', headers)).toMatchObject({ status: 401 })
  })
})
