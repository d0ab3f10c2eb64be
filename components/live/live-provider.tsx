'use client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { leaveWhenSignedOut } from './account.ts'
import { AlertSignals } from './alert-signals.tsx'
import { connectTab } from './connect.ts'
import { LiveStore } from './live-store.ts'
import { PastProvider } from './past-provider.tsx'
import { LiveContext } from './use-live.ts'

/** Gives every view below it the live store of this tab and keeps it fed. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [store] = useState(() => new LiveStore())
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true, staleTime: 1_000 } } }),
  )
  useEffect(() => {
    const stop = store.start()
    const disconnect = connectTab({
      onFrame: (frame) => store.receive(frame),
      onTrouble: (reason) => {
        store.lost(reason)
        void leaveWhenSignedOut()
      },
    })
    return () => {
      disconnect()
      stop()
    }
  }, [store])
  return (
    <QueryClientProvider client={queries}>
      <LiveContext.Provider value={store}>
        <AlertSignals />
        <PastProvider>{children}</PastProvider>
      </LiveContext.Provider>
    </QueryClientProvider>
  )
}
