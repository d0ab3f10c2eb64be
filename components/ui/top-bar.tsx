'use client'
import { Search } from 'lucide-react'
import { Brand } from './brand.tsx'
import { ClusterPicker } from './cluster-picker.tsx'
import { ClusterSummary } from './cluster-summary.tsx'
import { ConnectionState } from './connection-state.tsx'
import { Kbd } from './kbd.tsx'
import { PastPicker } from './past-picker.tsx'
import { WhoMenu } from './who-menu.tsx'

const Separator = ({ className = '' }) => (
  <span aria-hidden="true" className={`h-6 w-px shrink-0 bg-line2 max-sm:hidden ${className}`} />
)

export function TopBar({ onSearch }: { onSearch: () => void }) {
  return (
    <header className="sticky top-0 z-40 flex h-[52px] items-center gap-3.5 border-line border-b bg-s1 px-5 max-sm:gap-2 max-sm:px-3 print:hidden">
      <Brand />
      <Separator />
      <ClusterPicker />
      <ClusterSummary />
      <Separator className="max-lg:hidden" />
      <ConnectionState />
      <button
        aria-label="Search elections, leaders, keys"
        className="ml-auto flex h-8 items-center gap-2 whitespace-nowrap rounded-md border border-ctl px-2.5 text-t3 hover:bg-s3 max-lg:order-last max-lg:ml-0 max-lg:w-8 max-lg:justify-center max-lg:px-0 max-sm:-mr-1 max-sm:h-11 max-sm:w-9 max-sm:border-transparent max-sm:text-t1 lg:w-[272px] lg:pr-2"
        onClick={onSearch}
        type="button"
      >
        <Search aria-hidden="true" className="shrink-0 max-sm:size-5" size={16} />
        <span className="max-lg:hidden">Search elections, leaders, keys</span>
        <span className="ml-auto max-lg:hidden">
          <Kbd>⌘K</Kbd>
        </span>
      </button>
      <span className="max-lg:ml-auto">
        <PastPicker />
      </span>
      <WhoMenu />
    </header>
  )
}
