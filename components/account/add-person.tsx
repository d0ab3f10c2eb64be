'use client'
import type { FormEvent } from 'react'
import { ROLES, type Role } from '../../lib/election/policy.ts'
import { useAddPerson } from '../live/account.ts'
import { Button } from '../ui/button.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'

export function AddPerson({ onAdded }: { onAdded: (name: string, secret: string) => void }) {
  const add = useAddPerson()
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { name, email, role } = Object.fromEntries(new FormData(form)) as { name: string; email: string; role: Role }
    add.mutate(
      { name, email, role },
      {
        onSuccess: ({ person, secret }) => {
          onAdded(person.name, secret)
          form.reset()
        },
      },
    )
  }
  return (
    <form className="flex flex-wrap items-end gap-3" method="post" onSubmit={onSubmit}>
      <Field autoComplete="off" className="w-56 max-sm:w-full" label="Name" maxLength={80} name="name" required />
      <Field
        autoComplete="off"
        className="w-72 max-sm:w-full"
        label="E-mail"
        maxLength={200}
        name="email"
        required
        type="email"
      />
      <Choice className="w-32" label="Role" name="role" options={ROLES} />
      <Button className="max-sm:h-11" disabled={add.isPending} type="submit" variant="primary">
        Add
      </Button>
      {add.error !== null && (
        <div className="w-full">
          <Notice tone="crit">{add.error.message}</Notice>
        </div>
      )}
    </form>
  )
}
