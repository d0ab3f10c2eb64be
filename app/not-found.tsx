import type { Metadata } from 'next'
import Link from 'next/link'

export const metadata: Metadata = { title: 'Nothing here' }

export default function NotFound() {
  return (
    <div className="px-5 pt-[15px] max-sm:px-4">
      <h1 className="font-display text-2xl text-t2">
        <b className="text-t1">There is nothing at this address.</b> The election or page may have had another name.
      </h1>
      <p className="mt-3">
        <Link className="link inline-block py-1" href="/">
          All elections
        </Link>
      </p>
    </div>
  )
}
