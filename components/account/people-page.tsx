'use client'
import { useState } from 'react'
import { NOWHERE, whyNot } from '../../lib/election/policy.ts'
import { count } from '../../lib/shared/format.ts'
import { useMe, useNewLink, usePeople, useSetDisabled, useSetRole } from '../live/account.ts'
import { Notice } from '../ui/notice.tsx'
import { AddPerson } from './add-person.tsx'
import { PersonRow } from './person-row.tsx'
import { Page, Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'

export function PeoplePage() {
  const { data: me } = useMe()
  if (me === undefined) return <Page sentence="–">{null}</Page>
  if (me.signIn === 'loopback-open') {
    return (
      <Page
        sentence={
          <>
            <b className="text-t1">Nobody signs in here.</b> Everybody on this machine is an admin.
          </>
        }
      >
        {null}
      </Page>
    )
  }
  const refusal = whyNot(me.who?.role ?? null, 'manageUsers', NOWHERE)
  if (refusal !== null) {
    return (
      <Page
        sentence={
          <>
            <b className="text-t1">People are managed by admins.</b> {refusal.why} {refusal.fix}
          </>
        }
      >
        {null}
      </Page>
    )
  }
  return <Managed own={me.who && 'email' in me.who ? me.who.email : undefined} />
}

interface Link {
  name: string
  secret: string
}

const linkOf = (secret: string) => `${window.location.origin}/set-up#${secret}`

function Managed({ own }: { own: string | undefined }) {
  const { data, error } = usePeople(true)
  const setRole = useSetRole()
  const setDisabled = useSetDisabled()
  const newLink = useNewLink()
  const [link, setLink] = useState<Link | null>(null)
  const wrong = error ?? setRole.error ?? setDisabled.error ?? newLink.error
  const people = data?.people ?? []
  const disabled = people.filter((person) => person.disabled).length
  return (
    <Page
      sentence={
        <>
          <b className="text-t1">{count(people.length - disabled, 'person', 'people')}</b> may sign in
          {disabled > 0 && `, ${disabled} may not`}.
        </>
      }
    >
      {wrong !== null && (
        <div className="mt-4 max-w-[920px]">
          <Notice tone="crit">{wrong.message}</Notice>
        </div>
      )}
      {link !== null && (
        <div className="mt-4 max-w-[920px]">
          <ShownOnce
            label={`Give this link to ${link.name}: it sets a password, once and within 24 h. It is shown only now.`}
            onDone={() => setLink(null)}
            secret={linkOf(link.secret)}
          />
        </div>
      )}
      <ul className="mt-4 max-w-[920px]">
        {people.map((person) => (
          <PersonRow
            isSelf={person.email === own}
            key={person.id}
            onDisabled={(to) => setDisabled.mutate({ id: person.id, disabled: to })}
            onLink={() =>
              newLink.mutate(person.id, { onSuccess: ({ secret }) => setLink({ name: person.name, secret }) })
            }
            onRole={(role) => setRole.mutate({ id: person.id, role })}
            person={person}
          />
        ))}
      </ul>
      <Section note="They get a link from you, by which they choose a password." title="Add somebody">
        <AddPerson onAdded={(name, secret) => setLink({ name, secret })} />
      </Section>
    </Page>
  )
}
