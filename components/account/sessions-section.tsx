'use client'
import { type SessionShape, useEndSession, useSessions, useSignOutEverywhere } from '../live/account.ts'
import { toSignIn } from '../live/sign-in.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { browserOf } from './browser-name.ts'
import { Section } from './section.tsx'
import { When } from './when.tsx'

export function SessionsSection() {
  const { data, error } = useSessions()
  const end = useEndSession()
  const everywhere = useSignOutEverywhere()
  const wrong = error ?? end.error ?? everywhere.error
  return (
    <Section note="Where you are signed in. A session lasts a week." title="Sessions">
      {wrong !== null && <Notice tone="crit">{wrong.message}</Notice>}
      <ul>
        {(data?.sessions ?? []).map((session) => (
          <Row key={session.id} onEnd={() => end.mutate(session.id)} session={session} />
        ))}
      </ul>
      <Button
        className="mt-3 max-sm:h-11"
        disabled={everywhere.isPending}
        onClick={() => everywhere.mutate(undefined, { onSuccess: toSignIn })}
      >
        Sign out everywhere
      </Button>
    </Section>
  )
}

function Row({ session, onEnd }: { session: SessionShape; onEnd: () => void }) {
  const browser = browserOf(session.browser)
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b py-1.5">
      <span className="words min-w-0 flex-1">
        <b className="font-semibold">{browser}</b>
        {session.current && <span className="text-ok"> · this one</span>}
        <span className="block text-sm text-t2">
          {session.address === '' ? '' : `from ${session.address}, `}since <When at={session.since} />
        </span>
      </span>
      {!session.current && (
        <Button aria-label={`Sign out ${browser}`} className="max-sm:h-11" onClick={onEnd} size="sm">
          Sign out
        </Button>
      )}
    </li>
  )
}
