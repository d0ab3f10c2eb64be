'use client'
import Link from 'next/link'
import { type FormEvent, useEffect, useState } from 'react'
import { askSignIn } from '../live/sign-in.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { BarePage } from './bare-page.tsx'
import { wordsOf } from './words.ts'

type Whom = { name: string; email: string } | null
type State = { is: 'looking' } | { is: 'void'; why: string } | { is: 'open'; link: string; whom: Whom }

/** The link's secret stands behind the #: browsers send that to no server, and no log has it. */
function useLink(): State {
  const [state, setState] = useState<State>({ is: 'looking' })
  useEffect(() => {
    const look = async () => {
      const link = window.location.hash.slice(1)
      const answer = await askSignIn('link', { link })
      if (answer.ok) setState({ is: 'open', link, whom: answer.body.whom as Whom })
      else setState({ is: 'void', why: wordsOf(answer) })
    }
    const again = () => void look()
    again()
    window.addEventListener('hashchange', again)
    return () => window.removeEventListener('hashchange', again)
  }, [])
  return state
}

export function SetUpPage() {
  const state = useLink()
  if (state.is === 'looking') return <BarePage sentence="Looking at the link …">{null}</BarePage>
  if (state.is === 'void') {
    return (
      <BarePage sentence={<b className="text-t1">This link is of no use.</b>}>
        <Notice tone="crit">{state.why}</Notice>
        <p className="mt-4">
          <Link className="link inline-block py-1" href="/sign-in">
            Sign in
          </Link>
        </p>
      </BarePage>
    )
  }
  const sentence =
    state.whom === null ? (
      <>
        <b className="text-t1">The first admin</b> adds everybody else.
      </>
    ) : (
      <>
        <b className="text-t1">{state.whom.name}</b>, choose a password.
      </>
    )
  return (
    <BarePage sentence={sentence}>
      <SetUpForm link={state.link} whom={state.whom} />
    </BarePage>
  )
}

function SetUpForm({ link, whom }: { link: string; whom: Whom }) {
  const [wrong, setWrong] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async (form: FormData) => {
    const password = String(form.get('password'))
    if (password !== form.get('again')) return 'The two passwords differ.'
    const who = whom === null ? { name: form.get('name'), email: form.get('email') } : {}
    const answer = await askSignIn('set-up', { link, password, ...who })
    if (!answer.ok) return wordsOf(answer)
    window.location.assign('/')
    return null
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    void send(new FormData(event.currentTarget)).then((problem) => {
      setWrong(problem)
      setBusy(false)
    })
  }
  return (
    <form className="grid gap-4" method="post" onSubmit={onSubmit}>
      {whom === null && <Field autoComplete="name" label="Name" maxLength={80} name="name" required />}
      <Field
        autoComplete="username"
        defaultValue={whom?.email}
        label="E-mail"
        maxLength={200}
        name="email"
        readOnly={whom !== null}
        required
        type="email"
      />
      <Field
        autoComplete="new-password"
        hint="At least 12 characters."
        label="Password"
        maxLength={128}
        minLength={12}
        name="password"
        required
        type="password"
      />
      <Field autoComplete="new-password" label="The same again" name="again" required type="password" />
      {wrong !== null && <Notice tone="crit">{wrong}</Notice>}
      <Button className="max-sm:h-11" disabled={busy} type="submit" variant="primary">
        {busy ? 'Setting the password …' : 'Set the password and sign in'}
      </Button>
    </form>
  )
}
