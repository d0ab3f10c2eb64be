'use client'
import { useId } from 'react'
import type { SwitchForecast, SwitchMode } from '../../lib/election/actions.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import { Notice } from '../ui/notice.tsx'
import { OptionCard, Options, Tick } from './option-card.tsx'
import { ReasonField } from './reason-field.tsx'
import { idOf, type ScopeChoice } from './switch-scopes.ts'
import { TypedName } from './typed-name.tsx'
import { type UntilChoice, UntilField } from './until-field.tsx'

/** What is chosen and typed before a stop. */
export interface StopDraft {
  scope: ScopeChoice
  /** null: as proposed. */
  mode: SwitchMode | null
  until: UntilChoice
  reason: string
  typed: string
  matchesNothing: boolean
}

interface QuestionsProps {
  draft: StopDraft
  change: (part: Partial<StopDraft>) => void
  choices: readonly ScopeChoice[]
  forecast: SwitchForecast | undefined
  mode: SwitchMode
  now: Instant
}

/** Everything that has to be chosen and typed before a stop. */
export function StopQuestions({ draft, change, choices, forecast, mode, now }: QuestionsProps) {
  const group = useId()
  const chosen = idOf(draft.scope)
  return (
    <>
      <Options legend="Scope">
        {choices.map((choice) => (
          <OptionCard
            checked={idOf(choice) === chosen}
            group={`${group}-scope`}
            key={idOf(choice)}
            onChoose={() => change({ scope: choice, typed: '', mode: null, matchesNothing: false })}
            title={choice.label}
          >
            {idOf(choice) === chosen && forecast && forecast.scopeBase64 === choice.scopeBase64
              ? `${count(forecast.electionCount, 'election')}, ${count(forecast.candidates, 'candidate')}`
              : undefined}
          </OptionCard>
        ))}
      </Options>
      {forecast?.standing?.state === 'engaged' && (
        <Notice tone="warn">
          <b>Already engaged</b> by {forecast.standing.record?.by}: {forecast.standing.record?.reason}. Engaging again
          is added to its log; who engaged it first and why stays.
        </Notice>
      )}
      {forecast?.electionCount === 0 && <NothingMatches checked={draft.matchesNothing} change={change} />}
      <Modes change={change} forecast={forecast} group={group} mode={mode} />
      <UntilField now={now} onChange={(until) => change({ until })} value={draft.until} />
      <ReasonField
        hint="required; shown to everybody, in the banner"
        onChange={(reason) => change({ reason })}
        value={draft.reason}
      />
      <TypedName
        label="Type the name"
        name={forecast?.typedName ?? '…'}
        onChange={(typed) => change({ typed })}
        value={draft.typed}
      />
    </>
  )
}

function NothingMatches({ checked, change }: { checked: boolean; change: (part: Partial<StopDraft>) => void }) {
  return (
    <Tick checked={checked} onChange={(matchesNothing) => change({ matchesNothing })}>
      No election is in this scope now. Stop those that will be.
    </Tick>
  )
}

type ModesProps = Pick<QuestionsProps, 'change' | 'forecast' | 'mode'> & { group: string }

function Modes({ change, forecast, mode, group }: ModesProps) {
  return (
    <Options hint={forecast?.because ?? ''} legend="How">
      <OptionCard
        checked={mode === 'cooperative'}
        group={`${group}-mode`}
        onChoose={() => change({ mode: 'cooperative' })}
        tag="cooperative"
        title="Ask every candidate to stop"
      >
        The record is written; candidates of the library read it, stop their work and say so. Nothing is revoked.
      </OptionCard>
      <OptionCard
        checked={mode === 'enforced'}
        forced
        group={`${group}-mode`}
        onChoose={() => change({ mode: 'enforced' })}
        tag="enforced"
        title="Hold the seat as well"
      >
        For clients that do not read the switch: Tenure takes each leader’s place in the queue and revokes its session.
        Waiters keep theirs.
      </OptionCard>
    </Options>
  )
}
