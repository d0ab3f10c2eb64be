'use client'
import { type FormEvent, useState } from 'react'
import { atLeast, ROLES, type Role } from '../../lib/election/policy.ts'
import { type TokenShape, useMakeToken, useRevokeToken, useTokens } from '../live/account.ts'
import { Button } from '../ui/button.tsx'
import { Choice, Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'
import { When } from './when.tsx'

const NOTE =
  'For scripts, as “Authorization: Bearer …”. A token never does more than you may, and cannot make tokens or manage people.'

export function TokensSection({ role }: { role: Role }) {
  const { data, error } = useTokens()
  const make = useMakeToken()
  const revoke = useRevokeToken()
  const [secret, setSecret] = useState<string | null>(null)
  const wrong = error ?? make.error ?? revoke.error
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { name, role } = Object.fromEntries(new FormData(form)) as { name: string; role: Role }
    make.mutate(
      { name, role },
      {
        onSuccess: (made) => {
          setSecret(made.secret)
          form.reset()
        },
      },
    )
  }
  const tokens = data?.tokens ?? []
  return (
    <Section note={NOTE} title="API tokens">
      {wrong !== null && <Notice tone="crit">{wrong.message}</Notice>}
      {secret !== null && (
        <ShownOnce label="The token. It is shown only now." onDone={() => setSecret(null)} secret={secret} />
      )}
      <ul>
        {tokens.map((token) => (
          <Row key={token.id} onRevoke={() => revoke.mutate(token.id)} token={token} />
        ))}
      </ul>
      {data !== undefined && tokens.length === 0 && <p className="text-t2">You have no tokens.</p>}
      <form className="mt-4 flex flex-wrap items-end gap-3" method="post" onSubmit={onSubmit}>
        <Field autoComplete="off" className="w-64 max-sm:w-full" label="Name" maxLength={80} name="name" required />
        <Choice className="w-36" label="Role" name="role" options={ROLES.filter((each) => atLeast(role, each))} />
        <Button className="max-sm:h-11" disabled={make.isPending} type="submit">
          Make a token
        </Button>
      </form>
    </Section>
  )
}

function Row({ token, onRevoke }: { token: TokenShape; onRevoke: () => void }) {
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b py-1.5">
      <span className="words min-w-0 flex-1">
        <b className="font-semibold">{token.name}</b> · {token.role}
        <span className="block text-sm text-t2">
          made <When at={token.createdAt} />,{' '}
          {token.usedAt === null ? (
            'never used'
          ) : (
            <>
              last used <When at={token.usedAt} />
            </>
          )}
        </span>
      </span>
      <Button aria-label={`Revoke ${token.name}`} className="max-sm:h-11" onClick={onRevoke} size="sm">
        Revoke
      </Button>
    </li>
  )
}
