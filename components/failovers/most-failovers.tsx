import type { FailoverSummaryShape } from '../live/failovers.ts'
import { Dashes } from './dashes.tsx'
import { Panel } from './panel.tsx'

const SHOWN = 6

interface MostProps {
  summary: FailoverSummaryShape | undefined
  /** Narrows the page to one election. */
  onPick: (name: string) => void
}

/** Where leaders are lost most: elections, never names of candidates, for two may share one. */
export function MostFailovers({ summary, onPick }: MostProps) {
  const most = summary?.led.most.slice(0, SHOWN) ?? []
  return (
    <Panel className="pt-0!" title="Most failovers">
      {summary !== undefined && most.length === 0 && <p className="text-sm text-t2">There was none.</p>}
      {summary === undefined && <Dashes count={6} height={26} />}
      <ol>
        {most.map(({ election, failovers }) => {
          const name = summary?.elections[election]?.name ?? ''
          return (
            <li className="flex items-baseline gap-3 border-line border-t text-sm" key={election}>
              <button
                className="words min-w-0 truncate py-1 font-semibold hover:underline max-sm:py-3"
                onClick={() => onPick(name)}
                title={`Only ${name}`}
                type="button"
              >
                {name}
              </button>
              <span className="ml-auto">{failovers.toLocaleString('en-US')}</span>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
