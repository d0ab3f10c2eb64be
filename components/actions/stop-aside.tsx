/** What a stop would do, whom it reaches, and what it cannot do: as etcd shows it now. */
import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SwitchForecast, SwitchMode } from '../../lib/election/actions.ts'
import { count } from '../../lib/shared/format.ts'

const NAMED = 6

export function StopAside({ forecast, mode }: { forecast: SwitchForecast | undefined; mode: SwitchMode }) {
  if (forecast === undefined) return <p className="text-t2">Reading the scope in etcd…</p>
  const unbound = forecast.candidates - forecast.acknowledging
  return (
    <>
      <Reach forecast={forecast} />
      <div>
        <h3 className="mb-1 font-semibold">What this guarantees</h3>
        <Fact strong="The stop is written to etcd" words="and outlives a restart of Tenure." />
        {forecast.acknowledging > 0 && (
          <Fact
            strong={`${count(forecast.acknowledging, 'candidate')} of the library ${forecast.acknowledging === 1 ? 'stops' : 'stop'} within a second`}
            words="and stay out of the queue until the release."
          />
        )}
        {mode === 'enforced' && (
          <Fact
            strong="Nobody else wins the seat."
            words="Tenure holds the head of each queue itself, and revokes the former leader’s session so that it notices."
          />
        )}
        <Fact strong="You see who has stopped, by name," words="and who is silent. Silence never counts as stopped." />
      </div>
      <div>
        <h3 className="mb-1 font-semibold text-crit">What it does not</h3>
        {mode === 'cooperative' && unbound > 0 && (
          <Fact
            isNot
            strong={`It does not bind ${count(unbound, 'candidate')} without the library.`}
            words="They do not read the switch and can still lead."
          />
        )}
        {mode === 'enforced' && (
          <>
            <Fact
              isNot
              strong="It cannot halt a running process."
              words="A former holder may act until it notices, up to a third of its TTL; its writes in etcd that compare its own create revision pass until then."
            />
            <Fact
              isNot
              strong="A leader that resigns at the same moment"
              words="lets one more candidate start for a moment; it is held in turn, and recorded."
            />
          </>
        )}
        <Fact isNot strong="It undoes nothing" words="that was written or sent. Only fencing refuses a late write." />
        <Fact isNot strong="It needs etcd’s quorum." words="Without it neither a stop nor a release can be written." />
      </div>
    </>
  )
}

function Reach({ forecast }: { forecast: SwitchForecast }) {
  const { elections, electionCount, candidates } = forecast
  const leaders = elections.flatMap(({ leader, name, ref }) => (leader === null ? [] : [{ ref, name, leader }]))
  const foreign = elections.filter(({ foreignNext }) => foreignNext !== null)
  return (
    <div className="rounded-md border border-line2 bg-bg px-3.5 py-2.5">
      <p>
        <b>{count(electionCount, 'election')}</b>, <b>{count(candidates, 'candidate')}</b>
      </p>
      {leaders.slice(0, NAMED).map(({ ref, name, leader }) => (
        <p className="words text-sm text-t2" key={ref}>
          stops <b className="text-t1">{leader.identity || '(empty)'}</b>
          {electionCount > 1 && ` on ${name}`}
          {leader.acknowledges ? '' : ', which does not read the switch'}
        </p>
      ))}
      {leaders.length > NAMED && <p className="text-sm text-t2">and {count(leaders.length - NAMED, 'more leader')}</p>}
      {foreign.slice(0, NAMED).map(({ ref, name, foreignNext }) => (
        <p className="words mt-1 text-sm text-warn" key={ref}>
          <b>{foreignNext || '(empty)'}</b> would lead {electionCount > 1 ? name : 'next'}: it does not read the switch.
        </p>
      ))}
    </div>
  )
}

function Fact({ strong, words, isNot }: { strong: ReactNode; words: string; isNot?: boolean }) {
  const Glyph = isNot ? X : Check
  return (
    <p className="words flex gap-2 border-line border-t py-1.5 text-sm text-t2">
      <Glyph aria-hidden="true" className={`mt-px shrink-0 ${isNot ? 'text-crit' : 'text-ok'}`} size={16} />
      <span>
        <b className="text-t1">{strong}</b> {words}
      </span>
    </p>
  )
}
