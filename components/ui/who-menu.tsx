'use client'
import { UserRound } from 'lucide-react'
import Link from 'next/link'
import { type Me, useMe, type Who } from '../live/account.ts'
import { turnSignalsOff, turnSignalsOn, useSignals } from '../live/browser-signals.ts'
import { signOut } from '../live/sign-in.ts'

const ITEM = 'flex min-h-9 w-full items-center rounded-sm px-2.5 hover:bg-s3 max-sm:min-h-11'
const BUTTON =
  'flex h-8 shrink-0 items-center gap-2 rounded-md border border-ctl px-2.5 font-semibold hover:bg-s3 max-sm:h-11 max-sm:border-transparent max-sm:px-1.5'
const PANEL = 'who-panel'

/** Who this page is shown to, and the way out. The browser's own popover: a menu library is 14 kB more. */
export function WhoMenu() {
  const { data: me } = useMe()
  if (me === undefined) return null
  const { who } = me
  if (who === null || who.kind === 'anonymous') {
    return (
      <Link className={BUTTON} href="/sign-in" prefetch={false}>
        Sign in
      </Link>
    )
  }
  return (
    <>
      <button
        aria-label={`Account: ${nameOf(who)}, ${who.role}`}
        className={BUTTON}
        popoverTarget={PANEL}
        title="Account"
        type="button"
      >
        <UserRound aria-hidden="true" size={16} />
        <span className="words max-w-32 truncate max-xl:hidden">{nameOf(who)}</span>
      </button>
      <section
        aria-label="Account"
        className="fixed inset-auto top-[54px] right-5 m-0 w-64 rounded-lg border border-line2 bg-s1 p-1.5 text-t1 shadow-dialog max-sm:right-3"
        id={PANEL}
        popover="auto"
      >
        <Items me={me} who={who} />
      </section>
    </>
  )
}

/** The same choice as on the page of alerts, which says what it means. */
function SignalsItem() {
  const signals = useSignals()
  if (signals === null) return null
  return (
    <button
      aria-pressed={signals.isOn}
      className={ITEM}
      onClick={() => (signals.isOn ? turnSignalsOff() : void turnSignalsOn())}
      type="button"
    >
      Alerts in the background
      <span aria-hidden="true" className="ml-auto text-sm text-t2">
        {signals.isOn ? 'on' : 'off'}
      </span>
    </button>
  )
}

const close = () => document.getElementById(PANEL)?.hidePopover()

function nameOf(who: Who): string {
  if ('name' in who && who.name) return who.name
  return who.kind === 'loopback' ? 'This machine' : 'Anonymous'
}

function Items({ me, who }: { me: Me; who: Who }) {
  const second = 'email' in who && who.email ? who.email : 'Nobody signs in here'
  return (
    <>
      <p className="mb-1.5 border-line border-b px-2.5 pt-1.5 pb-2">
        <span className="words block truncate font-semibold">{nameOf(who)}</span>
        <span className="words block truncate text-sm text-t2">
          {second} · {who.role}
        </span>
      </p>
      <Link className={ITEM} href="/account" onClick={close}>
        Account
      </Link>
      {who.role === 'admin' && (
        <Link className={ITEM} href="/people" onClick={close}>
          People
        </Link>
      )}
      <SignalsItem />
      {me.signIn === 'required' && (
        <button className={ITEM} onClick={() => void signOut()} type="button">
          Sign out
        </button>
      )}
    </>
  )
}
