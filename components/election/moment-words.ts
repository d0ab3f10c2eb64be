/** What changed at one moment, in a sentence or two. */

import type { Fact } from '../../lib/election/changes.ts'
import type { MomentChange } from '../../lib/election/moments.ts'
import type { Stop } from '../../lib/election/stops.ts'
import { count } from '../../lib/shared/format.ts'
import { eventLines } from './detail-event-words.ts'
import { scopeWords, stoppedWords } from './switch-words.ts'

export type ToldChange = MomentChange & { cluster: string }

/** How an election is called beside what happened to it; '' where the page is about it. */
export type NameOf = (cluster: string, ref: string) => string

const MOST_ELECTIONS = 2

const scopeOf = (stop: Stop) => scopeWords({ ...stop, state: 'engaged', record: null })

function ofWhole(change: ToldChange): string[] {
  switch (change.type) {
    case 'election':
      return []
    case 'gap-began':
      return [`Tenure saw nothing of ${change.cluster} from here on: ${change.gap.reason}`]
    case 'gap-ended':
      return [`Tenure saw ${change.cluster} again`]
    case 'stop-began':
      return [`${scopeOf(change.stop)} ${stoppedWords(change.stop)}`]
    case 'stop-ended': {
      const { ended, endedBy } = change.stop
      const how = ended === 'vanished' ? 'its record vanished' : `released${endedBy === null ? '' : ` by ${endedBy}`}`
      return [`${scopeOf(change.stop)} no longer stopped: ${how}`]
    }
  }
}

/** Facts of one revision in the order in which a person tells them: who left, then who leads. */
function ofElection(name: string, facts: readonly Fact[]): string {
  const said = eventLines(facts, 'queue').map(({ text }) => text)
  return `${name === '' ? '' : `${name}: `}${said.join('; ')}`
}

export function momentWords(changes: readonly ToldChange[], nameOf: NameOf): string {
  const events = changes.filter((change) => change.type === 'election')
  const groups = [...Map.groupBy(events, ({ cluster, ref }) => `${cluster} ${ref}`).values()]
  const told = groups.slice(0, MOST_ELECTIONS).flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    return [
      ofElection(
        nameOf(first.cluster, first.ref),
        group.map(({ event }) => event),
      ),
    ]
  })
  const more = groups.length - told.length
  const others = more > 0 ? [`and ${count(more, 'other election')}`] : []
  return `${[...changes.flatMap(ofWhole), ...told, ...others].join('. ')}.`
}
