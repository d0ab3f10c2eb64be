import { ChevronLeft } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import type { Status } from '../../lib/election/status.ts'
import { SayWords } from './detail-say.tsx'
import type { Say } from './detail-sentence.ts'
import type { LaneSlot } from './lane-colours.ts'
import { StatusMark } from './status-mark.tsx'

interface HeaderProps {
  name: string
  prefix: string
  status: Status
  words: readonly Say[]
  colourOf: (who: { identity: string; keyBase64: string }) => LaneSlot | undefined
  /** What can be done: at the right, on a phone pinned above the tabs. */
  actions: ReactNode
}

/** Where we are, how it is in one word, and whether it is all right in one sentence. */
export function DetailHeader({ name, prefix, status, words, colourOf, actions }: HeaderProps) {
  return (
    <header className="flex items-center gap-5 px-5 pt-3 pb-3 max-sm:block max-sm:px-4 max-sm:pt-0">
      <div className="min-w-0 grow">
        <div className="mb-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-t2 max-sm:-mx-4 max-sm:mb-3 max-sm:flex-nowrap max-sm:border-line max-sm:border-b max-sm:bg-s1 max-sm:pr-4 max-sm:pl-1">
          <Breadcrumb name={name} />
          <span className="ml-2 text-sm max-sm:ml-auto max-sm:text-base">
            <StatusMark status={status} />
          </span>
          <span aria-hidden="true" className="text-t3 max-sm:hidden">
            ·
          </span>
          <span className="bytes min-w-0 break-all max-sm:hidden">{prefix}</span>
        </div>
        <p className="max-w-[960px] font-display text-2xl text-t2 leading-[29px] sm:min-h-[58px] tracking-[-0.004em] max-sm:text-[17px] max-sm:leading-[25px]">
          <SayWords colourOf={colourOf} words={words} />
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-3 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-16 max-sm:z-30 max-sm:border-line max-sm:border-t max-sm:bg-s1 max-sm:px-4 max-sm:py-2">
        {actions}
      </div>
    </header>
  )
}

function Breadcrumb({ name }: { name: string }) {
  const at = name.lastIndexOf('/')
  const parents = name.slice(0, Math.max(0, at))
  const last = name.slice(at + 1)
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <Link
        aria-label="Elections"
        className="hidden size-11 shrink-0 place-items-center text-t1 max-sm:float-left max-sm:grid"
        href="/"
      >
        <ChevronLeft aria-hidden="true" size={20} />
      </Link>
      <ol className="flex flex-wrap items-center gap-x-2 max-sm:block max-sm:truncate max-sm:py-1.5">
        <li className="max-sm:hidden">
          <Link className="hover:text-t1 hover:underline" href="/">
            Elections
          </Link>
        </li>
        {parents !== '' && (
          <li className="flex items-center gap-x-2 max-sm:block max-sm:truncate">
            <Slash />
            <span className="break-all">
              {parents.replaceAll('/', ' / ')}
              <span className="sm:hidden"> /</span>
            </span>
          </li>
        )}
        <li className="flex min-w-0 items-center gap-x-2 max-sm:block">
          <Slash />
          <h1 className="break-all font-semibold text-sm text-t1 max-sm:truncate max-sm:text-[15px]">{last}</h1>
        </li>
      </ol>
    </nav>
  )
}

function Slash() {
  return (
    <span aria-hidden="true" className="text-t3 max-sm:hidden">
      /
    </span>
  )
}
