'use client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { LiveProvider } from '../live/live-provider.tsx'
import { AppShell } from './app-shell.tsx'
import { useTheme } from './use-theme.ts'

/** Pages for somebody who is not signed in: no bar, and no stream that would be refused. */
const BARE = new Set(['/sign-in', '/set-up'])

export function Surroundings({ children }: { children: ReactNode }) {
  if (BARE.has(usePathname())) return <Bare>{children}</Bare>
  return (
    <LiveProvider>
      <AppShell>{children}</AppShell>
    </LiveProvider>
  )
}

function Bare({ children }: { children: ReactNode }) {
  useTheme()
  const [queries] = useState(() => new QueryClient())
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}
