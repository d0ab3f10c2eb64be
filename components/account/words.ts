/** What the pages of signing in say; each sentence names what helps. */
import type { SignInAnswer } from '../live/sign-in.ts'

const WORDS: Readonly<Record<string, string>> = {
  wrong: 'The e-mail address or the password is wrong.',
  disabled: 'This account is disabled. Ask an admin of this Tenure to enable it.',
  'expired-link':
    'This link does not work any more: it was used, is older than a day, or a newer one was made. Ask for a new one.',
  taken: 'There is somebody with this address already. Use another.',
  'not-signed-in': 'Your session is over. Sign in again.',
  'no-password': 'You sign in by OpenID Connect: your password is changed where you sign in.',
  provider: 'The OpenID Connect provider does not answer. Try again, or sign in with a password.',
  off: 'Nobody signs in here: auth is loopback-open.',
  unreachable: 'Tenure does not answer. Nothing was changed; try again.',
  failed: 'That did not work. Check what you typed and try again.',
}

export function seconds(ms: number): string {
  const whole = Math.max(1, Math.ceil(ms / 1_000))
  return `${whole} s`
}

export function wordsOf(answer: Extract<SignInAnswer, { ok: false }>): string {
  if (answer.code === 'too-many')
    return `Too many tries from your address. Try again in ${seconds(answer.waitMs ?? 60_000)}.`
  if (answer.code === 'bad-password' && answer.why) return answer.why
  return WORDS[answer.code] ?? `${WORDS.failed}`
}

const FROM_PROVIDER: Readonly<Record<string, string>> = {
  no_role: 'You have no role in this Tenure. Ask an admin: it comes from a group of your login.',
  disabled: `${WORDS.disabled}`,
  account_not_linked:
    'There is an account with your address already, and your provider has not verified that it is yours. Sign in with the password.',
  access_denied: 'You did not let Tenure know who you are. Try again, or sign in with a password.',
}

/** `code` stands in the address, where anybody can write anything: it is never shown itself. */
export function providerWords(code: string | null): string | null {
  if (code === null) return null
  return (
    FROM_PROVIDER[code.toLowerCase()] ?? 'Signing in by OpenID Connect did not work. Try again; Tenure’s log says why.'
  )
}
