'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import type { Instant } from '../../lib/shared/clock.ts'
import { withAsOf } from '../live/as-of.ts'

/** A time that leads to everything as it was then. */
export function AsOfLink({ at, children }: { at: Instant; children: ReactNode }) {
  return (
    <Link
      className="text-t3 underline decoration-line2 underline-offset-2 hover:text-t1 hover:decoration-current"
      href={`${usePathname()}${withAsOf('', at)}`}
      prefetch={false}
      scroll={false}
      title={`As of ${at}`}
    >
      <time dateTime={at}>{children}</time>
    </Link>
  )
}
