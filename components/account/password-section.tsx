'use client'
import { type FormEvent, useState } from 'react'
import { askSignIn } from '../live/sign-in.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Section } from './section.tsx'
import { wordsOf } from './words.ts'

interface Told {
  tone: 'crit' | 'ok'
  words: string
}

async function change(form: FormData): Promise<Told> {
  const next = String(form.get('next'))
  if (next !== form.get('again')) return { tone: 'crit', words: 'The two new passwords differ.' }
  const answer = await askSignIn('change-password', { current: form.get('current'), next })
  if (answer.ok) return { tone: 'ok', words: 'The password was changed. Every other session is over.' }
  const words = answer.code === 'wrong' ? 'The current password is wrong. Nothing was changed.' : wordsOf(answer)
  return { tone: 'crit', words }
}

export function PasswordSection() {
  const [told, setTold] = useState<Told | null>(null)
  const [busy, setBusy] = useState(false)
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setBusy(true)
    void change(new FormData(form)).then((result) => {
      if (result.tone === 'ok') form.reset()
      setTold(result)
      setBusy(false)
    })
  }
  return (
    <Section title="Password">
      <form className="grid max-w-[360px] gap-3" method="post" onSubmit={onSubmit}>
        <Field autoComplete="current-password" label="Current password" name="current" required type="password" />
        <Field
          autoComplete="new-password"
          hint="At least 12 characters."
          label="New password"
          maxLength={128}
          minLength={12}
          name="next"
          required
          type="password"
        />
        <Field autoComplete="new-password" label="The same again" name="again" required type="password" />
        {told !== null && <Notice tone={told.tone}>{told.words}</Notice>}
        <Button className="justify-self-start max-sm:h-11" disabled={busy} type="submit">
          Change the password
        </Button>
      </form>
    </Section>
  )
}
