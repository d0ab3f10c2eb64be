'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, Suspense, useState } from 'react'
import { usePast } from '../live/past-provider.tsx'
import { Banners } from './banners.tsx'
import { CommandMenu } from './command-menu.tsx'
import { HatchPatterns } from './hatch-patterns.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { Navigation } from './navigation.tsx'
import { PastBand } from './past-band.tsx'
import { PastProblem } from './past-problem.tsx'
import { TopBar } from './top-bar.tsx'
import { useChosenCluster } from './use-chosen-cluster.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { cycleTheme } from './use-theme.ts'

/** Bar on top, rail at the side (tabs at the bottom of a phone), the page in between. */
export function AppShell({ children }: { children: ReactNode }) {
  return (
    <Suspense>
      <a
        className="absolute -top-20 left-4 z-50 rounded-md bg-bone px-4 py-2 font-semibold text-onbone focus:top-2"
        href="#main"
      >
        Skip to the page
      </a>
      <HatchPatterns />
      <Frame>{children}</Frame>
    </Suspense>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const router = useRouter()
  const { chosen } = useChosenCluster()
  const past = usePast()
  const [searching, setSearching] = useState(false)
  const [helping, setHelping] = useState(false)
  useShortcuts({
    'mod+k': () => setSearching((open) => !open),
    '?': () => setHelping(true),
    t: cycleTheme,
    'g e': () => router.push('/'),
    'g k': () => router.push('/switches'),
    'g f': () => router.push(chosen === null ? '/failovers' : `/failovers?cluster=${encodeURIComponent(chosen)}`),
    'g u': () => router.push('/audit'),
    'g a': () => router.push('/alerts'),
    'g y': () => router.push('/account'),
    'g p': () => router.push('/people'),
    'g c': () => router.push(chosen === null ? '/clusters' : `/clusters/${encodeURIComponent(chosen)}`),
  })
  return (
    <>
      <TopBar onSearch={() => setSearching(true)} />
      <Navigation />
      <main
        className={`min-h-[calc(100dvh-52px)] outline-none max-sm:pb-16 sm:pl-14 lg:pl-20 print:p-0 ${!past.isPast ? '' : '[--under-bars:96px]'}`}
        id="main"
        tabIndex={-1}
      >
        <PastBand />
        <div className="print:hidden">
          <Banners />
        </div>
        {past.problem === null ? children : <PastProblem problem={past.problem} />}
      </main>
      <CommandMenu onOpenChange={setSearching} open={searching} />
      <KeysDialog onOpenChange={setHelping} open={helping} />
    </>
  )
}
