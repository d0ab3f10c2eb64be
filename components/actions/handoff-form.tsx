'use client'
import { type ReactNode, useId, useState } from 'react'
import type { HandoffMethod, HandoffPreflight } from '../../lib/election/actions.ts'
import { seconds } from '../../lib/shared/format.ts'
import { LeaderTag } from '../election/leader-tag.tsx'
import { type ColourOf, Label } from './dialog-parts.tsx'
import { type Choice, nameOf } from './handoff-words.ts'
import { OptionCard, Tick } from './option-card.tsx'
import { ReasonField } from './reason-field.tsx'

interface FormProps {
  seen: HandoffPreflight
  choice: Choice
  onChange: (change: Partial<Choice>) => void
  mayOverride: boolean
  colourOf: ColourOf
}

/** Who shall lead, how, what goes with it, and why. */
export function HandoffForm(props: FormProps) {
  const { seen, choice, onChange, mayOverride } = props
  return (
    <>
      <Successor {...props} />
      <Method {...props} />
      <BlastRadius choice={choice} seen={seen} />
      {seen.coolDown !== null && (
        <Tick checked={choice.acknowledged} onChange={(acknowledged) => onChange({ acknowledged })}>
          {seen.coolDown.words}. <b>I have looked at what came of it, and hand off again.</b>
        </Tick>
      )}
      {seen.refusal?.code === 'no-standby' && mayOverride && (
        <Tick checked={choice.overridesNoStandby} onChange={(ticked) => onChange({ overridesNoStandby: ticked })}>
          Nobody stands by. <b>The seat stays empty until a candidate takes it; I go on without one.</b>
        </Tick>
      )}
      <ReasonField
        hint="required, kept in the audit log"
        onChange={(reason) => onChange({ reason })}
        value={choice.reason}
      />
    </>
  )
}

const MOST_TARGETS = 6
const PLACES = ['', '', 'next in queue', '3rd in queue']

function Successor({ seen, choice, onChange, colourOf }: FormProps) {
  const group = useId()
  const targets = seen.targets.slice(0, MOST_TARGETS)
  if (targets.length === 0) return null
  const [next] = targets
  if (choice.method !== 'ask') {
    return (
      <section aria-label="Successor">
        <Label hint="only a leader that is asked can wait for another one">Successor</Label>
        <p className="flex flex-wrap items-center gap-x-2">
          {next && <LeaderTag identity={next.identity} slot={colourOf(next)} />}
          <span className="text-sm text-t2">
            {next?.place === 2
              ? 'is next in the queue and leads.'
              : 'waits behind an older key of a nested election: nobody leads until that key goes.'}
          </span>
        </p>
      </section>
    )
  }
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">Successor</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {targets.map((target) => (
          <OptionCard
            checked={choice.target?.createRevision === target.createRevision}
            disabled={!target.offered}
            group={group}
            key={target.keyBase64}
            onChoose={() => onChange({ target })}
            tag={PLACES[target.place] ?? `${target.place}th in queue`}
            title={<LeaderTag identity={target.identity} slot={colourOf(target)} />}
          >
            {target.why}
            {target.offered && !target.isLibrary && ` ${nameOf(target)} does not use the candidate library.`}
          </OptionCard>
        ))}
      </div>
    </fieldset>
  )
}

function Method({ seen, choice, onChange }: FormProps) {
  const group = useId()
  const [isWide, setWide] = useState(false)
  const card = (method: HandoffMethod, title: string, tag: string, words: ReactNode) => {
    const offer = seen.methods.find((each) => each.method === method)
    const offered = offer?.offered === true
    return (
      <OptionCard
        checked={choice.method === method}
        disabled={!offered}
        forced={method !== 'ask'}
        group={group}
        onChoose={() => onChange({ method })}
        tag={tag}
        title={title}
      >
        {offered ? words : offer?.why}
      </OptionCard>
    )
  }
  const who = nameOf(seen.leader)
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1.5 font-semibold">Method</legend>
      {card(
        'ask',
        'Ask the leader to drain and resign',
        'cooperative',
        <>
          {who} finishes its work in flight, then deletes its own election key. After <b>{seen.deadlineMs / 1_000} s</b>{' '}
          without an answer Tenure withdraws the request and {who} stays leader.
        </>,
      )}
      {card(
        'revoke-session',
        'Revoke its session',
        'forced',
        <>
          etcd deletes everything on the lease at once, asked or not. <b>{overlapWords(seen)}</b>
        </>,
      )}
      {isWide || choice.method === 'remove-key' ? (
        card(
          'remove-key',
          'Remove only its key',
          'forced',
          <>
            <b>{who} will probably not notice and go on for ever:</b> its lease stays and is renewed, while somebody
            else leads. The one good reason is a lease that it shares with something that must stay. Restart {who}{' '}
            afterwards.
          </>,
        )
      ) : (
        <button className="link text-sm max-sm:min-h-11" onClick={() => setWide(true)} type="button">
          Another way: remove only its key…
        </button>
      )}
    </fieldset>
  )
}

function overlapWords({ leader, overlapMs }: HandoffPreflight): string {
  const who = nameOf(leader)
  if (overlapMs === null) return `For how long ${who} keeps acting is not known; only fencing closes it.`
  return `${who} may keep acting for up to ${seconds(overlapMs)} after revoke, longer if it is no Go client; only fencing closes it.`
}

const MOST_KEYS = 8

function BlastRadius({
  seen: { leaseKeys, leaseKeysError, leader },
  choice,
}: {
  seen: HandoffPreflight
  choice: Choice
}) {
  if (leader.lease === null) return null
  const total = leaseKeys?.total ?? 0
  const hint = total === 1 ? 'this lease also holds another key' : `this lease also holds ${total} other keys`
  return (
    <section aria-label="Blast radius">
      <Label hint={leaseKeys === null ? undefined : total === 0 ? 'this lease holds nothing else' : hint}>
        Blast radius
      </Label>
      {leaseKeys === null ? (
        <p className="text-sm text-warn">
          etcd does not tell what else hangs on this lease: <span className="bytes break-all">{leaseKeysError}</span>
        </p>
      ) : (
        total > 0 && (
          <div className="rounded-md border border-line2 bg-bg px-3.5 py-2 text-sm leading-[18px]">
            <ul>
              {leaseKeys.keys.slice(0, MOST_KEYS).map(({ key, keyBase64, election }) => (
                <li className="flex flex-wrap gap-x-3" key={keyBase64}>
                  <span className="bytes break-all">{key}</span>
                  {election !== null && <b className="text-warn">candidate of {election.name}</b>}
                </li>
              ))}
              {total > MOST_KEYS && <li className="text-t2">and {total - MOST_KEYS} more</li>}
            </ul>
            <p className="words mt-1 text-t2">{goesWords(choice.method, total === 1 ? 'it' : 'them')}</p>
          </div>
        )
      )}
    </section>
  )
}

/** Of the candidate library: a new place in the queue has a new lease, and the old one is revoked. */
function goesWords(method: HandoffMethod | null, what: 'it' | 'them'): string {
  switch (method) {
    case 'ask':
      return `The library ends its lease once it has resigned, and ${what} with it.`
    case 'remove-key':
      return `Removing the key leaves ${what} in place.`
    case 'revoke-session':
    case null:
      return `Revoking deletes ${what} with the election key.`
  }
}
