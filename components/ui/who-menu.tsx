'use client'
import { UserRound } from 'lucide-react'
import Link from 'next/link'
import { DropdownMenu } from 'radix-ui'
import { type Me, useMe, type Who } from '../live/account.ts'
import { signOut } from '../live/sign-in.ts'

const ITEM =
  'flex min-h-9 cursor-pointer items-center rounded-sm px-2.5 outline-none data-[highlighted]:bg-s3 max-sm:min-h-11'
const BUTTON =
  'flex h-8 shrink-0 items-center gap-2 rounded-md border border-ctl px-2.5 font-semibold hover:bg-s3 max-sm:h-11 max-sm:border-transparent max-sm:px-1.5'

/** Who this page is shown to, and the way out. */
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
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger aria-label={`Account: ${nameOf(who)}, ${who.role}`} className={BUTTON}>
        <UserRound aria-hidden="true" size={16} />
        <span className="words max-w-32 truncate max-xl:hidden">{nameOf(who)}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          className="fade-in z-50 w-64 rounded-lg border border-line2 bg-s1 p-1.5 shadow-dialog"
          sideOffset={6}
        >
          <Items me={me} who={who} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function nameOf(who: Who): string {
  if ('name' in who && who.name) return who.name
  return who.kind === 'loopback' ? 'This machine' : 'Anonymous'
}

function Items({ me, who }: { me: Me; who: Who }) {
  return (
    <>
      <DropdownMenu.Label className="px-2.5 pt-1.5 pb-2">
        <span className="words block truncate font-semibold">{nameOf(who)}</span>
        <span className="words block truncate text-sm text-t2">
          {'email' in who && who.email ? `${who.email} · ${who.role}` : `Nobody signs in here · ${who.role}`}
        </span>
      </DropdownMenu.Label>
      <DropdownMenu.Separator className="mx-1 mb-1.5 h-px bg-line" />
      <DropdownMenu.Item asChild className={ITEM}>
        <Link href="/account">Account</Link>
      </DropdownMenu.Item>
      {who.role === 'admin' && (
        <DropdownMenu.Item asChild className={ITEM}>
          <Link href="/people">People</Link>
        </DropdownMenu.Item>
      )}
      {me.signIn === 'required' && (
        <DropdownMenu.Item className={ITEM} onSelect={() => void signOut()}>
          Sign out
        </DropdownMenu.Item>
      )}
    </>
  )
}
