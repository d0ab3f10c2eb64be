/** `/api/auth` from a page: what cannot be a procedure, because it sets the cookie. */

export type SignInPath = 'sign-in' | 'sign-out' | 'change-password' | 'link' | 'set-up' | 'oidc'

/** `code` says what went wrong; `unreachable` when nothing answered. */
export type SignInAnswer =
  | { ok: true; body: Record<string, unknown> }
  | { ok: false; code: string; waitMs?: number; why?: string }

export async function askSignIn(path: SignInPath, body: object): Promise<SignInAnswer> {
  try {
    const response = await fetch(`/api/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const told = (await response.json()) as Record<string, unknown>
    return response.ok ? { ok: true, body: told } : { ok: false, code: 'failed', ...told }
  } catch {
    return { ok: false, code: 'unreachable' }
  }
}

/** A path of this server, for after signing in; anything else is the list. */
export function ownPath(to: string | null): string {
  const base = 'http://tenure.invalid'
  return to?.startsWith('/') && URL.canParse(to, base) && new URL(to, base).origin === base ? to : '/'
}

export function toSignIn(): void {
  const { pathname, search } = window.location
  const to = pathname === '/' && search === '' ? '' : `?to=${encodeURIComponent(pathname + search)}`
  window.location.replace(`/sign-in${to}`)
}

export async function signOut(): Promise<void> {
  await askSignIn('sign-out', {})
  window.location.assign('/sign-in')
}
