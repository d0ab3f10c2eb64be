'use client'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useParams, useSearchParams } from 'next/navigation'
import type { ElectionRef } from '../../lib/election/types.ts'
import { day, timeOfDay } from '../../lib/shared/format.ts'
import { nameOfRef } from '../election/detail-ref.ts'
import { momentWords, type NameOf } from '../election/moment-words.ts'
import { usePast } from '../live/past-provider.tsx'
import type { StepScope } from '../live/past-queries.ts'
import { useLiveStore } from '../live/use-live.ts'
import { safelyDecoded } from './safely-decoded.ts'
import { useShortcuts } from './use-shortcuts.ts'

const BUTTON =
  'inline-flex h-8 items-center gap-1 whitespace-nowrap rounded-md border border-onbone px-2.5 font-semibold outline-onbone hover:opacity-80 max-sm:h-11'

/** What a step goes through: the election of the page, the cluster of the page, or everything. */
function useScope(): StepScope {
  const { cluster, ref } = useParams<{ cluster?: string; ref?: string }>()
  const query = useSearchParams().get('cluster')
  const named = cluster === undefined ? query : safelyDecoded(cluster)
  return { ...(named ? { cluster: named } : {}), ...(ref === undefined ? {} : { ref: safelyDecoded(ref) }) }
}

/** Over every page of the past: nobody must take it for the present. Nothing is here in the present. */
export function PastBand() {
  const { isPast, at, step, leave } = usePast()
  const scope = useScope()
  const go = (direction: 'previous' | 'next') => (at === null ? false : void step(scope, direction))
  const out = () => (isPast ? leave() : false)
  useShortcuts({ ',': () => go('previous'), '.': () => go('next'), Escape: out })
  if (!isPast) return null
  return (
    <section
      aria-label="As of"
      className="sticky top-[52px] z-30 flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 bg-bone px-5 py-1.5 text-onbone max-sm:px-4 print:hidden"
    >
      <b className="whitespace-nowrap" title={at ?? undefined}>
        {at === null ? 'As of –' : `As of ${timeOfDay(at)} UTC, ${day(at)} ${at.slice(0, 4)}`}
      </b>
      <Said />
      <span className="flex gap-2 max-sm:w-full">
        {at !== null && (
          <>
            <button
              aria-keyshortcuts=","
              className={BUTTON}
              onClick={() => go('previous')}
              title="Previous change ( , )"
              type="button"
            >
              <ChevronLeft aria-hidden="true" size={16} /> <span className="max-sm:sr-only">Previous change</span>
              <span aria-hidden="true" className="sm:hidden">
                Previous
              </span>
            </button>
            <button
              aria-keyshortcuts="."
              className={BUTTON}
              onClick={() => go('next')}
              title="Next change ( . )"
              type="button"
            >
              <span className="max-sm:sr-only">Next change</span>
              <span aria-hidden="true" className="sm:hidden">
                Next
              </span>
              <ChevronRight aria-hidden="true" size={16} />
            </button>
          </>
        )}
        <button
          aria-keyshortcuts="Escape"
          className={`${BUTTON} bg-onbone text-bone max-sm:ml-auto`}
          onClick={leave}
          title="Back to now (Esc)"
          type="button"
        >
          Back to now
        </button>
      </span>
    </section>
  )
}

/** What the last step came to, also for those who do not see it. */
function Said() {
  const { stepped } = usePast()
  const store = useLiveStore()
  const { ref: own } = useParams<{ ref?: string }>()
  const nameOf: NameOf = (cluster, ref) => {
    if (own !== undefined && safelyDecoded(own) === ref) return ''
    const view = store.views.get(cluster)
    const state = view?.elections.get(ref as ElectionRef)
    return view === undefined || state === undefined ? nameOfRef(ref) : view.nameOf(state)
  }
  const words =
    stepped === null
      ? ''
      : stepped.changes === null
        ? `No ${stepped.direction === 'next' ? 'later' : 'earlier'} change is on record.`
        : momentWords(stepped.changes, nameOf)
  return (
    <p aria-live="polite" className="words min-w-0 grow basis-64 max-sm:basis-full max-sm:empty:hidden" title={words}>
      {words}
    </p>
  )
}
