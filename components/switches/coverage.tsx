'use client'
import Link from 'next/link'
import type { ElectionRef } from '../../lib/election/types.ts'
import { count } from '../../lib/shared/format.ts'
import { electionHref } from '../election/election-href.ts'
import { useForecast } from '../live/switches.ts'

const SHOWN = 12

/** Before it is needed: where a stop would leave somebody unaccounted for. */
export function Coverage({ cluster }: { cluster: string }) {
  const { data, error } = useForecast({ cluster, scopeBase64: '', match: 'prefix' })
  return (
    <section
      aria-label="Would a stop work everywhere?"
      className="bg-s1 px-5 py-4 max-sm:px-4 lg:border-line lg:border-l"
    >
      <h2 className="font-semibold">Would a stop work everywhere?</h2>
      {error !== null && <p className="mt-2 text-warn">Presence cannot be read in etcd now: {error.message}</p>}
      {data !== undefined && <Answer cluster={cluster} {...data} />}
    </section>
  )
}

type AnswerProps = NonNullable<ReturnType<typeof useForecast>['data']> & { cluster: string }

function Answer({ elections, cluster }: AnswerProps) {
  const peopled = elections.filter(({ candidates }) => candidates > 0)
  if (peopled.length === 0) return <p className="mt-2 text-t2">No election here has candidates.</p>
  const partly = peopled.filter(({ candidates, acknowledging }) => acknowledging < candidates)
  const whole = peopled.length - partly.length
  return (
    <>
      <p className="mt-2 text-t2">
        <b className="text-t1">
          In {whole} of {count(peopled.length, 'election')} every candidate can acknowledge.
        </b>{' '}
        {partly.length > 0 && 'In these a cooperative stop leaves somebody unaccounted for:'}
      </p>
      <ul className="mt-2">
        {partly.slice(0, SHOWN).map(({ ref, name, candidates, acknowledging }) => (
          <li className="flex gap-3 border-line border-t py-1.5 text-sm" key={ref}>
            <Link className="link words min-w-0 font-semibold" href={electionHref(cluster, ref as ElectionRef)}>
              {name}
            </Link>
            <span className="ml-auto shrink-0 text-t2">
              {candidates - acknowledging} of {candidates} without the library
            </span>
          </li>
        ))}
      </ul>
      {partly.length > SHOWN && <p className="text-sm text-t2">and {partly.length - SHOWN} more</p>}
    </>
  )
}
