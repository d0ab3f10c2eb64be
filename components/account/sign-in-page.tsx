'use client'
import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { type Me, useMe } from '../live/account.ts'
import { askSignIn, ownPath, type SignInAnswer, signOut } from '../live/sign-in.ts'
import { trpc } from '../live/trpc.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { BarePage } from './bare-page.tsx'
import { useWait } from './use-wait.ts'
import { providerWords, seconds, wordsOf } from './words.ts'

const KEPT_NONE =
  'Your browser kept no session: over plain http it keeps one only on the machine that Tenure runs on. Use the https address.'

export function SignInPage() {
  const { data: me } = useMe()
  if (me?.signIn === 'loopback-open') {
    return (
      <BarePage sentence={<b className="text-t1">Nobody signs in here.</b>}>
        <p>
          Everybody on this machine is an admin.{' '}
          <Link className="link" href="/">
            All elections
          </Link>
        </p>
      </BarePage>
    )
  }
  if (me?.needsSetUp && me.oidc === null) {
    return (
      <BarePage sentence={<b className="text-t1">Nobody can sign in yet.</b>}>
        <p className="text-t2">
          Open the link that Tenure printed to its console when it started: whoever opens it becomes the first admin.
          Each start prints a new one.
        </p>
      </BarePage>
    )
  }
  if (me?.who?.kind === 'person') return <SignedIn email={me.who.email} />
  return (
    <BarePage
      sentence={
        <>
          <b className="text-t1">Sign in</b> to see who leads.
        </>
      }
    >
      <SignInForm me={me} />
    </BarePage>
  )
}

/** Only where the way here was typed or an old bookmark: nothing leads here from inside. */
function SignedIn({ email }: { email: string | undefined }) {
  return (
    <BarePage
      sentence={
        <>
          <b className="text-t1">You are signed in</b> as {email}.
        </>
      }
    >
      <p className="flex items-center gap-4">
        <Link className="link inline-block py-1" href="/">
          All elections
        </Link>
        <Button onClick={() => void signOut()}>Sign out</Button>
      </p>
    </BarePage>
  )
}

/** A full load: what was cached for somebody else goes with it. */
async function arrive(to: string): Promise<string | null> {
  const me = await trpc.account.me.query().catch(() => null)
  if (me?.who?.kind !== 'person') return KEPT_NONE
  window.location.assign(to)
  return null
}

function SignInForm({ me }: { me: Me | undefined }) {
  const search = useSearchParams()
  const to = ownPath(search.get('to'))
  const [wrong, setWrong] = useState(() => providerWords(search.get('error')))
  const [busy, setBusy] = useState(false)
  const { leftMs, wait } = useWait()
  const settle = async (answer: SignInAnswer) => {
    if (!answer.ok && answer.code === 'too-many') wait(answer.waitMs ?? 60_000)
    setWrong(answer.ok ? await arrive(to) : answer.code === 'too-many' ? null : wordsOf(answer))
    setBusy(false)
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    void askSignIn('sign-in', { email: form.get('email'), password: form.get('password') }).then(settle)
  }
  const waiting = leftMs > 0
  return (
    <form className="grid gap-4" method="post" onSubmit={onSubmit}>
      <Field autoComplete="username" autoFocus label="E-mail" name="email" required type="email" />
      <Field autoComplete="current-password" label="Password" name="password" required type="password" />
      {waiting && <Notice tone="crit">Too many tries from your address. Try again in {seconds(leftMs)}.</Notice>}
      {!waiting && wrong !== null && <Notice tone="crit">{wrong}</Notice>}
      <Button className="max-sm:h-11" disabled={busy || waiting} type="submit" variant="primary">
        {busy ? 'Signing in …' : 'Sign in'}
      </Button>
      {me?.oidc && <ByProvider name={me.oidc.name} onWrong={setWrong} to={to} />}
      {me?.anonymousViewing && (
        <p className="text-t2">
          <Link className="link inline-block py-1" href="/">
            Look without signing in
          </Link>
        </p>
      )}
    </form>
  )
}

function ByProvider({ name, to, onWrong }: { name: string; to: string; onWrong: (words: string) => void }) {
  const start = async () => {
    const answer = await askSignIn('oidc', { to })
    if (answer.ok) window.location.assign(String(answer.body.url))
    else onWrong(wordsOf(answer))
  }
  return (
    <Button className="max-sm:h-11" onClick={() => void start()}>
      Sign in with {name}
    </Button>
  )
}
