'use client'
import Link from 'next/link'
import { useMemo, useState } from 'react'
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { stoppedBy } from '../../lib/election/scopes.ts'
import { type Move, type Skew, skewOf } from '../../lib/election/skew.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import { useLiveStore, useServerNow, useStructureVersion } from '../live/use-live.ts'
import { electionHref } from './election-href.ts'

const EVERY_MS = 5_000
const SHOWN = 10

/** How leaderships are spread, and which handoffs would even it out. Nothing is done from here. */
export function ClusterSkew({ cluster }: { cluster: string }) {
  const store = useLiveStore()
  const structure = useStructureVersion()
  const now = useServerNow(1)
  const turn = now === null ? 0 : Math.floor(msOf(now) / EVERY_MS)
  const view = store.views.get(cluster)
  // biome-ignore lint/correctness/useExhaustiveDependencies: anew every few seconds, not with every look-up of a lease
  const skew = useMemo(() => (view === undefined ? null : skewIn(view)), [view, structure, turn])
  if (view === undefined || skew === null || skew.holders.length < 2) return null
  return (
    <section aria-labelledby="skew" className="max-w-[860px] px-5 pt-6 pb-6 max-sm:px-4">
      <h2 className="mb-1 font-semibold text-lg" id="skew">
        Spread of leaderships
      </h2>
      <p className="mb-2 text-t2">{sentence(skew)}</p>
      <Holders skew={skew} />
      {skew.moves.length > 0 && <Moves moves={skew.moves} view={view} />}
    </section>
  )
}

function skewIn(view: ClusterView): Skew {
  const switches = view.info.switches ?? []
  return skewOf(view.elections.values(), ({ prefixBase64 }) => stoppedBy(prefixBase64, switches) !== null)
}

function sentence({ holders, elections, moves }: Skew): string {
  const [first] = holders
  const most = `${first?.name ?? ''} leads ${first?.leads ?? 0} of ${count(elections, 'election')}`
  if (moves.length === 0) return `${most}. No handoff to who is next up would spread them more evenly.`
  return `${most}. ${count(moves.length, 'handoff')} to who is next up would spread them more evenly.`
}

function Holders({ skew: { holders, after, moves } }: { skew: Skew }) {
  const [all, setAll] = useState(false)
  const shown = all ? holders : holders.slice(0, SHOWN)
  const most = Math.max(1, holders[0]?.leads ?? 0)
  const right = 'text-right tabular-nums'
  return (
    <>
      <table aria-label="Spread of leaderships" className="w-full border-collapse text-left text-sm">
        <thead>
          <tr className="text-t3 text-xs">
            <th className="pb-1 font-medium" scope="col">
              Identity
            </th>
            <th className={`pb-1 font-medium ${right}`} scope="col">
              Leads
            </th>
            <th className={`pb-1 font-medium ${right}`} scope="col">
              Stands in
            </th>
            <th className={`pb-1 font-medium ${right}`} scope="col">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, leads, standsIn }) => (
            <tr key={name}>
              <th className="h-7 break-all border-line border-t font-medium" scope="row">
                {name === '' ? '(no identity)' : name}
              </th>
              <td className={`w-[38%] border-line border-t font-semibold ${right}`}>
                <span className="flex items-center justify-end gap-3">
                  <span
                    className="h-2.5 rounded-[1px] bg-t2 max-sm:hidden"
                    style={{ width: `${(leads / most) * 80}%` }}
                  />
                  {leads}
                </span>
              </td>
              <td className={`border-line border-t text-t2 ${right}`}>{standsIn}</td>
              <td className={`border-line border-t ${right}`}>{moves.length === 0 ? '–' : (after.get(name) ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {holders.length > SHOWN && (
        <button aria-expanded={all} className="link mt-1 text-sm" onClick={() => setAll(!all)} type="button">
          {all ? 'Fewer' : `All ${holders.length.toLocaleString('en-US')}`}
        </button>
      )}
    </>
  )
}

function Moves({ moves, view }: { moves: readonly Move[]; view: ClusterView }) {
  const [all, setAll] = useState(false)
  return (
    <>
      <h3 className="mt-4 mb-1 font-semibold">Handoffs that would even it out</h3>
      <p className="mb-1 text-sm text-t2">A preview: each is done on the page of its election.</p>
      <ol className="text-sm">
        {(all ? moves : moves.slice(0, SHOWN)).map(({ ref, from, to }) => {
          const state = view.elections.get(ref)
          return (
            <li className="flex flex-wrap items-baseline gap-x-3 border-line border-t py-1.5 max-sm:min-h-10" key={ref}>
              <Link className="link font-semibold" href={electionHref(view.info.name, ref)}>
                {state === undefined ? ref : view.nameOf(state)}
              </Link>
              <span className="text-t2">
                {from} → {to}
              </span>
            </li>
          )
        })}
      </ol>
      {moves.length > SHOWN && (
        <button aria-expanded={all} className="link mt-1 text-sm" onClick={() => setAll(!all)} type="button">
          {all ? 'Fewer' : `All ${moves.length}`}
        </button>
      )}
    </>
  )
}
