'use client'
import { useMemo, useRef, useState } from 'react'
import { count } from '../../lib/shared/format.ts'
import { useAddressParams } from '../election/use-address-params.ts'
import { useAuditPages, useAuditSummary } from '../live/audit.ts'
import { usePastAt, useServerNow } from '../live/use-live.ts'
import { Button } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import { useMedia } from '../ui/use-media.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { AuditCards } from './audit-cards.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { groupsOf } from './audit-groups.ts'
import {
  asSeenAt,
  exportHref,
  filtersOf,
  isFiltered,
  NO_PARAMS,
  readAuditParams,
  writeAuditParams,
} from './audit-params.ts'
import { NoEntries, NothingFound, Trouble, WaitingRows } from './audit-states.tsx'
import { AuditTable } from './audit-table.tsx'
import { sentenceOf } from './audit-words.ts'
import { useHeldGroups } from './use-held-groups.ts'

const ADDRESS = { read: readAuditParams, write: writeAuditParams }
const NO_TIME = '1970-01-01T00:00:00.000Z'

/** Everything that was tried here, newest first. */
export function AuditPage() {
  const [params, setParams] = useAddressParams(ADDRESS)
  const { names } = useChosenCluster()
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const filters = asSeenAt(filtersOf(params), usePastAt())
  const pages = useAuditPages(filters)
  const groups = useMemo(() => groupsOf(pages.data?.pages.flatMap(({ entries }) => entries) ?? []), [pages.data])
  const { shown, waiting, apply } = useHeldGroups(groups, JSON.stringify(filters), { box, isReading: open.size > 0 })
  useShortcuts({ '/': () => field.current?.focus(), r: apply })
  const toggle = (key: string) =>
    setOpen((before) => new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key]))
  return (
    <div className="pb-8">
      <Sentence />
      <AuditFilters clusters={names} field={field} onChange={setParams} params={params} />
      <div className="px-5 max-sm:px-4" ref={box}>
        <div className="flex min-h-9 flex-wrap items-center gap-3 text-sm text-t2">
          <span role="status">
            {waiting > 0 && (
              <Button className="max-sm:h-11" onClick={apply} size="sm">
                {count(waiting, 'new row')}, press <Kbd>R</Kbd>
              </Button>
            )}
          </span>
          <span className="ml-auto flex items-center gap-3">
            {isFiltered(params) ? 'Export these:' : 'Export all:'}
            <a className="link max-sm:py-3" download href={exportHref('csv', params)}>
              CSV
            </a>
            <a className="link max-sm:py-3" download href={exportHref('jsonl', params)}>
              JSON Lines
            </a>
          </span>
        </div>
        {pages.error !== null && (
          <Trouble isShowing={shown.length > 0} message={pages.error.message} onRetry={() => void pages.refetch()} />
        )}
        {pages.isPending && <WaitingRows />}
        {pages.data !== undefined &&
          shown.length === 0 &&
          (isFiltered(params) ? <NothingFound onReset={() => setParams(NO_PARAMS)} /> : <NoEntries />)}
        {shown.length > 0 && <Rows groups={shown} isOpen={(key) => open.has(key)} onToggle={toggle} />}
        {pages.hasNextPage && shown.length > 0 && (
          <Button
            className="mt-4 max-sm:h-11"
            disabled={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {pages.isFetchingNextPage ? 'Reading older entries' : 'Show older entries'}
          </Button>
        )}
      </div>
    </div>
  )
}

/** On their own, so that the second's tick paints this line and the times alone. */
function Sentence() {
  const { data } = useAuditSummary()
  const now = useServerNow(1)
  const [lead, rest] = data === undefined ? ['–', ''] : sentenceOf(data, now ?? data.serverTime)
  return (
    <h1 className="words px-5 pt-[15px] font-display text-2xl text-t2 max-sm:px-4">
      <b className="text-t1">{lead}</b> {rest}
    </h1>
  )
}

type RowsProps = Omit<Parameters<typeof AuditTable>[0], 'now'>

function Rows(props: RowsProps) {
  const now = useServerNow(1) ?? NO_TIME
  const isNarrow = useMedia('(max-width: 899px)')
  return isNarrow ? <AuditCards now={now} {...props} /> : <AuditTable now={now} {...props} />
}
