/** A real OpenID Connect provider, and a browser that goes through its pages: for tests. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface Login {
  email: string
  email_verified: boolean
  name: string
  groups: readonly string[]
}

export interface TestProvider {
  issuer: string
  /** Who they are, by what they type as login; may change at any time. */
  logins: Record<string, Login>
  stop(): Promise<void>
}

export const CLIENT = { id: 'tenure', secret: 'secret-of-tenure-at-the-provider' }

export async function startProvider(redirectUri: string): Promise<TestProvider> {
  const logins: Record<string, Login> = {}
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...logins[sub] }) }),
    cookies: { keys: ['key-of-the-test-provider'] },
    pkce: { required: () => true },
  })
  const handle = provider.callback()
  return {
    issuer,
    logins,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Goes from the provider's first page to where it sends the browser back; returns that address. */
export async function goThrough(start: string, login: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(start)
  const origin = url.origin
  let body: URLSearchParams | undefined
  for (let step = 0; step < 12; step += 1) {
    if (url.origin !== origin) return url
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body ? { method: 'POST', body } : {}),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    body = undefined
    if (location !== null) url = new URL(location, url)
    else {
      const page = await response.text()
      const action = /action="([^"]+)"/.exec(page)?.[1]
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
      if (action === undefined || prompt === undefined) throw new Error(`no form in ${page.slice(0, 400)}`)
      body = new URLSearchParams({ prompt, login, password: 'any' })
      url = new URL(action, url)
    }
  }
  throw new Error('the provider never came to an end')
}
