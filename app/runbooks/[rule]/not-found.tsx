import type { Metadata } from 'next'
import Link from 'next/link'

export const metadata: Metadata = { title: 'No such runbook' }

export default function NotFound() {
  return (
    <div className="px-5 pt-[15px] max-sm:px-4">
      <h1 className="words font-display text-2xl text-t2">
        <b className="text-t1">There is no runbook of this name.</b> Each alert has one; this Tenure may be older than
        the alert.
      </h1>
      <p className="mt-3">
        <Link className="link inline-block py-1 max-sm:py-3" href="/runbooks">
          All runbooks
        </Link>
      </p>
    </div>
  )
}
