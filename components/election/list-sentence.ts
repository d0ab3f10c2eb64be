/** The sentence that opens the list and answers "is it all right?". `strong` marks what changes. */
import type { Status } from '../../lib/election/status.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { timeOfDay } from '../../lib/shared/format.ts'
import type { Counts } from './list-model.ts'

export interface Sentence {
  strong: string
  rest: string
}

const PARTS: readonly [Status, string, string][] = [
  ['dual-claim', 'has two claimants', 'have two claimants'],
  ['leaderless', 'has no leader', 'have no leader'],
  ['unknown', 'is unknown', 'are unknown'],
  ['flapping', 'is flapping', 'are flapping'],
  ['at-risk', 'is about to lose its lease', 'are about to lose their lease'],
  ['no-standby', 'has no standby', 'have no standby'],
  ['stopped', 'is stopped on purpose', 'are stopped on purpose'],
  ['handing-off', 'is handing off', 'are handing off'],
  ['unconfirmed', 'is unconfirmed', 'are unconfirmed'],
  ['healthy', 'is healthy', 'are healthy'],
]

const elections = (n: number) => `${n.toLocaleString('en-US')} ${n === 1 ? 'election' : 'elections'}`

function parts(counts: Counts): string {
  const found = PARTS.flatMap(([status, one, many]) => {
    const n = counts.by[status] ?? 0
    return n === 0 ? [] : [`${n.toLocaleString('en-US')} ${n === 1 ? one : many}`]
  })
  return found.length === 0 ? '' : `${found.join(', ')}.`
}

/** What is not live any more, and whether that is everything shown. */
export interface Lost {
  who: string
  since: Instant | null
  all: boolean
}

/** At a moment of the past at which a cluster was not seen; `reason` says why. */
export function unseenSentence(counts: Counts, reason: string): Sentence {
  const strong = `${reason[0]?.toUpperCase() ?? ''}${reason.slice(1)}.`
  return { strong, rest: counts.all === 0 ? '' : 'Below is what was seen last before it.' }
}

export function listSentence(counts: Counts, lost: Lost | null): Sentence {
  const sentence = lost?.all ? lostSentence(counts, lost) : liveSentence(counts)
  return lost === null || lost.all
    ? sentence
    : { ...sentence, rest: `${sentence.rest} ${lost.who} cannot be seen.`.trim() }
}

function lostSentence(counts: Counts, lost: Lost): Sentence {
  const since = lost.since === null || msOf(lost.since) === 0 ? '' : ` since ${timeOfDay(lost.since)} UTC`
  return {
    strong: `${lost.who} has not answered${since}.`,
    rest: counts.all === 0 ? '' : `Who leads the ${elections(counts.all)} now is unknown; below is what was seen last.`,
  }
}

function liveSentence(counts: Counts): Sentence {
  if (counts.all === 0) return { strong: 'There are no elections yet.', rest: '' }
  if ((counts.by.healthy ?? 0) === counts.all) {
    return {
      strong: counts.all === 1 ? 'The one election is healthy.' : `All ${elections(counts.all)} are healthy.`,
      rest: '',
    }
  }
  if (counts.attention === 0)
    return { strong: `None of ${elections(counts.all)} needs attention.`, rest: parts(counts) }
  const need = counts.attention === 1 ? 'needs' : 'need'
  return {
    strong: `${counts.attention.toLocaleString('en-US')} of ${elections(counts.all)} ${need} attention.`,
    rest: parts(counts),
  }
}
