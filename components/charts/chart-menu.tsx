'use client'
/** What can be had of a chart besides looking at it. Loaded with the charts. */
import { Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef, useState } from 'react'
import { instant } from '../../lib/shared/clock.ts'
import { fileName, fileTime } from '../../lib/shared/file-name.ts'
import { chartSvg, pngOf, svgSource } from './chart-svg.ts'
import { type ChartTable, tableCsv } from './chart-table.ts'
import { ChartTableDialog } from './chart-table-dialog.tsx'
import type { Span } from './time-axis.ts'

interface ChartMenuProps {
  /** Where it stands. */
  className: string
  /** Of the panel: "Renewal RTT". */
  title: string
  /** What the chart is of: an election, a cluster. */
  subject: string
  span: Span
  /** Made when it is asked for. */
  table: () => ChartTable
}

const ITEM = 'flex h-9 cursor-default items-center rounded-sm px-2.5 outline-none data-[highlighted]:bg-s3 max-sm:h-10'

function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Stands in a `figure` or a `section` whose chart is marked `data-chart`; an axis beside it may be marked `data-time-axis`. */
export function ChartMenu({ className, title, subject, span, table }: ChartMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [shown, setShown] = useState<ChartTable | null>(null)
  const [trouble, setTrouble] = useState('')
  const [from, to] = [instant(span.fromMs), instant(span.toMs)]
  const about = `${subject} · ${title} · ${from} to ${to} UTC`
  const nameFor = (extension: string) =>
    fileName([subject, title.toLowerCase(), fileTime(from), fileTime(to)], extension)
  const drawn = () => {
    const figure = button.current?.closest('figure, section')
    const chart = figure?.querySelector<HTMLElement>('[data-chart]')
    if (figure == null || chart == null) throw new Error('the chart is not drawn yet')
    const axis = figure.parentElement?.querySelector<SVGSVGElement>('svg[data-time-axis]') ?? null
    return chartSvg({ chart, axis, title: about })
  }
  const attempt = async (take: () => Promise<Blob> | Blob, extension: string) => {
    try {
      save(nameFor(extension), await take())
      setTrouble('')
    } catch (error) {
      setTrouble(`Not downloaded: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const csv = () => new Blob([tableCsv(table())], { type: 'text/csv;charset=utf-8' })
  const svg = () => new Blob([svgSource(drawn())], { type: 'image/svg+xml' })
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          aria-label={`${title}: table and downloads`}
          className={`grid size-7 place-items-center rounded-md text-t3 hover:bg-s3 hover:text-t1 data-[state=open]:bg-s3 data-[state=open]:text-t1 max-sm:size-10 ${className}`}
          ref={button}
        >
          <Ellipsis aria-hidden="true" size={16} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            className="fade-in z-40 min-w-[172px] rounded-lg border border-line2 bg-s1 p-1.5 text-t1 shadow-dialog"
            // Letters choose an item here; they are no keys of the page.
            onKeyDown={(event) => event.stopPropagation()}
            sideOffset={2}
          >
            <DropdownMenu.Item className={ITEM} onSelect={() => setShown(table())}>
              Show as table
            </DropdownMenu.Item>
            <DropdownMenu.Item className={ITEM} onSelect={() => void attempt(csv, 'csv')}>
              Download CSV
            </DropdownMenu.Item>
            <DropdownMenu.Item className={ITEM} onSelect={() => void attempt(svg, 'svg')}>
              Download SVG
            </DropdownMenu.Item>
            <DropdownMenu.Item className={ITEM} onSelect={() => void attempt(() => pngOf(drawn()), 'png')}>
              Download PNG
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <span
        className={
          trouble === ''
            ? 'sr-only'
            : 'absolute top-7 right-0 z-20 rounded-sm border border-line2 bg-s1 px-2 py-1 text-sm text-warn'
        }
        role="status"
      >
        {trouble}
      </span>
      {shown !== null && (
        <ChartTableDialog about={`${from} to ${to}`} onClose={() => setShown(null)} table={shown} title={title} />
      )}
    </>
  )
}
