import type { ReactNode } from 'react'
import { Kbd } from '../ui/kbd.tsx'
import type { MarkType } from './ribbon-geometry.ts'
import { RibbonMark } from './ribbon-mark.tsx'

/** What the marks of a ribbon mean, and the keys of the list. */
export function RibbonLegend({ shown, total }: { shown: number; total: number }) {
  const rows =
    shown === total
      ? total.toLocaleString('en-US')
      : `${shown.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
  return (
    <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-1 whitespace-nowrap border-line border-t bg-bg px-5 py-[9px] text-t2 text-xs max-md:hidden">
      <Entry width={22} word="term, one lane per candidate">
        <rect fill="var(--t2)" height="6" rx="1" width="22" y="3" />
      </Entry>
      <Entry width={12} word="handoff">
        <Mark type="handoff" />
      </Entry>
      <Entry width={12} word="resigned">
        <Mark type="resigned" />
      </Entry>
      <Entry width={12} word="failover">
        <Mark type="failover" />
      </Entry>
      <Entry width={12} word="revoke">
        <Mark type="revoke" />
      </Entry>
      <Entry width={12} word="kill switch">
        <Mark type="kill" />
      </Entry>
      <Entry width={14} word="stopped">
        <rect fill="url(#p-stop)" height="12" width="14" />
      </Entry>
      <Entry width={14} word="leaderless">
        <rect fill="url(#p-vacancy)" height="12" width="14" />
      </Entry>
      <Entry width={14} word="unobserved">
        <rect fill="url(#p-gap)" height="12" width="14" />
      </Entry>
      <Entry width={6} word="etcd raft leader change">
        <path d="M3 0V12" stroke="var(--t2)" strokeDasharray="1.5 2.5" />
      </Entry>
      <span className="ml-auto flex items-center gap-3 max-lg:hidden">
        <span>{rows === '1' ? '1 election' : `${rows} elections`}</span>
        <span className="flex items-center gap-1.5">
          <Kbd>J</Kbd>
          <Kbd>K</Kbd> move
        </span>
        <span className="flex items-center gap-1.5">
          <Kbd>↵</Kbd> open
        </span>
        <span className="flex items-center gap-1.5">
          <Kbd>?</Kbd> all keys
        </span>
      </span>
    </div>
  )
}

function Mark({ type }: { type: MarkType }) {
  return (
    <g transform="translate(6 2.8)">
      <RibbonMark type={type} />
    </g>
  )
}

function Entry({ width, word, children }: { width: number; word: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg aria-hidden="true" height="12" width={width}>
        {children}
      </svg>
      {word}
    </span>
  )
}
