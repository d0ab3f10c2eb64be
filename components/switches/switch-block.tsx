'use client'
import type { SwitchProof } from '../../lib/election/actions.ts'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import type { Cluster } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { duration } from '../../lib/shared/format.ts'
import { Opener } from '../actions/opener.tsx'
import { untilWords } from '../actions/until-field.tsx'
import { StatusGlyph } from '../election/status-glyph.tsx'
import { scopeWords } from '../election/switch-words.ts'
import { useWhyNot, wordsOfRefusal } from '../live/may.ts'
import { useProof } from '../live/switches.ts'
import { usePastAt } from '../live/use-live.ts'
import { ProofTable } from './proof-table.tsx'
import { acknowledgedWords } from './proof-words.ts'

interface SwitchBlockProps {
  cluster: Cluster
  standing: StandingSwitch
  now: Instant
  onAct: (act: SwitchAct) => void
}

/** What is about to be done to a switch, as it was seen: its block goes when it is released. */
export interface SwitchAct {
  verb: 'extend' | 'release'
  standing: StandingSwitch
  proof: SwitchProof | null
}

/** One switch that holds: who stopped what and why, the proof, and how it goes on. */
export function SwitchBlock({ cluster, standing, now, onAct }: SwitchBlockProps) {
  const isPast = usePastAt() !== null
  const { data: proof, error } = useProof({ cluster: cluster.name, scopeBase64: standing.scopeBase64 }, !isPast)
  const scope = scopeWords(standing)
  return (
    <article aria-label={scope} className="border-line border-b px-5 py-5 max-sm:px-4">
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,2fr)_260px]">
        <About now={now} proof={proof ?? null} scope={scope} standing={standing} />
        {isPast ? (
          <p className="text-sm text-t2">
            Not kept: who had acknowledged it then, and until when it was meant to stand.
          </p>
        ) : (
          <>
            <ProofTable cluster={cluster.name} error={error?.message ?? null} proof={proof ?? null} />
            <Onwards cluster={cluster} now={now} onAct={onAct} proof={proof ?? null} standing={standing} />
          </>
        )}
      </div>
    </article>
  )
}

type Parts = SwitchBlockProps & { proof: SwitchProof | null; scope: string }

function About({ standing, proof, scope, now }: Omit<Parts, 'cluster' | 'onAct'>) {
  const { record } = standing
  return (
    <div className="min-w-0">
      <h2 className="flex items-center gap-2 font-semibold text-lg">
        <span className="text-crit">
          <StatusGlyph size={18} status="stopped" />
        </span>
        <span className="words">{scope}</span>
      </h2>
      {record === null ? (
        <p className="mt-2 text-crit">Its record cannot be read, which counts as engaged.</p>
      ) : (
        <p className="words mt-2">
          stopped by <b>{record.by}</b> {duration(elapsedMs(record.at, now))} ago: “{record.reason}”
        </p>
      )}
      {proof !== null && (
        <>
          <p className="text-t2">
            {proof.mode === 'enforced'
              ? 'enforced: the heads of the queues are held'
              : 'cooperative: candidates were asked'}
          </p>
          <p className={`mt-3 font-display text-xl ${proof.acknowledged < proof.of ? 'text-warn' : ''}`}>
            {acknowledgedWords(proof)}
          </p>
        </>
      )}
    </div>
  )
}

const OWN_REQUEST = 'You asked for it: a different operator or admin confirms it.'
const UNREADABLE = 'The record cannot be read. docs/break-glass.md says how to write one that can.'

function Onwards({ cluster, standing, proof, now, onAct }: Omit<Parts, 'scope'>) {
  const mayExtend = wordsOfRefusal(useWhyNot('extend', cluster, null))
  const asked = proof?.releaseAskedBy ?? null
  const mayRelease = wordsOfRefusal(useWhyNot(asked === null ? 'release' : 'confirmRelease', cluster, null))
  const ownRequest = asked?.isYou === true ? OWN_REQUEST : null
  const unreadable = standing.record === null ? UNREADABLE : null
  const noRelease = mayRelease ?? ownRequest
  const refusal = unreadable ?? noRelease ?? mayExtend
  const until = standing.record?.until
  const leftMs = until === undefined ? 0 : elapsedMs(now, until)
  return (
    <div className="lg:border-line lg:border-l lg:pl-5">
      <p className="text-sm text-t2">{leftMs > 0 ? 'Meant to be released in' : 'Was meant to be released'}</p>
      <p className={`font-display text-2xl ${leftMs > 0 ? '' : 'text-crit'}`}>
        {leftMs > 0 ? duration(leftMs) : `${duration(-leftMs)} ago`}
      </p>
      {until !== undefined && (
        <p className="text-sm text-t2">by {untilWords(until, now)}; passing it releases nothing</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Opener onOpen={() => onAct({ verb: 'extend', standing, proof })} refusal={mayExtend ?? unreadable}>
          Extend…
        </Opener>
        <Opener onOpen={() => onAct({ verb: 'release', standing, proof })} refusal={noRelease ?? unreadable}>
          {asked === null ? 'Release…' : 'Confirm release…'}
        </Opener>
      </div>
      {asked !== null && (
        <p className="words mt-2 text-sm text-warn">
          <b>{asked.name}</b> asked for the release {duration(elapsedMs(asked.at, now))} ago: {asked.reason}. It waits
          for a second person.
        </p>
      )}
      {refusal !== null && <p className="mt-2 text-sm text-t2">{refusal}</p>}
    </div>
  )
}
