'use client'
import { type Me, useMe } from '../live/account.ts'
import { PasswordSection } from './password-section.tsx'
import { Page, Section } from './section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TokensSection } from './tokens-section.tsx'

const MAY = {
  viewer: 'You may look at everything and change nothing.',
  operator: 'You may hand leadership off, and engage and extend the kill switch.',
  admin: 'You may do everything: also release the kill switch, confirm elections and manage people.',
}

export function AccountPage() {
  const { data: me } = useMe()
  if (me === undefined) return <Page sentence="–">{null}</Page>
  const { who } = me
  if (who?.kind !== 'person') return <NoAccount me={me} />
  return (
    <Page
      sentence={
        <>
          You are <b className="text-t1">{who.name}</b>, {who.email}.
        </>
      }
    >
      <Section note={MAY[who.role]} title={`Role: ${who.role}`}>
        {null}
      </Section>
      <PasswordSection />
      <SessionsSection />
      <TokensSection role={who.role} />
    </Page>
  )
}

function NoAccount({ me }: { me: Me }) {
  const open = me.signIn === 'loopback-open'
  const what = open ? 'Nobody signs in here.' : 'You are not signed in.'
  const why = open ? 'Everybody on this machine is an admin: auth is loopback-open.' : 'There is nothing of yours yet.'
  return (
    <Page
      sentence={
        <>
          <b className="text-t1">{what}</b> {why}
        </>
      }
    >
      {null}
    </Page>
  )
}
