/** The sentence that opens the page and answers "is it all right?". `strong` marks what changes. */
import type { Alert, Silence } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import type { Sentence } from '../election/list-sentence.ts'
import { told } from './alert-groups.ts'
import { silenceState, untilWords, whenWords } from './alert-words.ts'

const fire = (n: number) => count(n, 'alert fires', 'alerts fire')

/** "billing/settlement has no leader since 03:12:06". */
function said({ summary, since, sinceApproximate }: Alert, now: Instant): string {
  return `${summary.replace(/\.$/, '')} since ${sinceApproximate ? 'about ' : ''}${whenWords(since, now)}`
}

function ofFiring(firing: readonly Alert[], now: Instant): Sentence {
  const open = firing.filter(({ acknowledged }) => acknowledged === null)
  const critical = open.filter(({ severity }) => severity === 'critical')
  const [worst] = [...critical, ...open, ...firing]
  const told = critical.length > 0 ? critical : open
  const what = critical.length > 0 ? 'critical and not acknowledged' : 'not acknowledged'
  const isAll = told.length === firing.length
  const which = open.length === 0 ? (firing.length === 1 ? 'acknowledged' : 'all acknowledged') : what
  const how = isAll || open.length === 0 ? which : `${told.length.toLocaleString('en-US')} of them ${which}`
  return { strong: fire(firing.length), rest: `, ${how}: ${worst === undefined ? '' : said(worst, now)}.` }
}

function ofSilences(silences: readonly Silence[], now: Instant): string {
  const [first] = silences.map(({ until }) => until).sort()
  if (first === undefined) return ''
  return silences.length === 1
    ? `1 silence holds ${untilWords(first, now)}.`
    : `${silences.length.toLocaleString('en-US')} silences hold, the first ${untilWords(first, now)}.`
}

export interface Standing {
  alerts: readonly Alert[]
  silences: readonly Silence[]
}

export function alertsSentence({ alerts, silences }: Standing, now: Instant): Sentence {
  const firing = told(alerts)
  if (firing.length > 0) return ofFiring(firing, now)
  const silenced = alerts.filter(
    ({ stage, silence, partOf }) => stage === 'firing' && silence !== null && partOf === null,
  )
  const pending = alerts.filter(({ stage }) => stage === 'pending')
  const [soonest] = pending
  const rest = [
    silenced.length === 0 ? '' : `${count(silenced.length, 'alert is', 'alerts are')} silenced.`,
    ofSilences(
      silences.filter((silence) => silenceState(silence, now) === 'holds'),
      now,
    ),
    soonest === undefined
      ? ''
      : `${count(pending.length, 'alert waits', 'alerts wait')} to fire: ${said(soonest, now)}.`,
  ].filter(Boolean)
  const strong = silenced.length > 0 ? 'Nothing fires that is not silenced.' : 'Nothing fires.'
  return { strong, rest: rest.length === 0 ? '' : ` ${rest.join(' ')}` }
}

/** Of a moment of the past. */
export function pastSentence(firing: readonly Alert[], at: Instant): Sentence {
  const shown = told(firing)
  if (shown.length === 0) return { strong: 'Nothing fired then.', rest: '' }
  const [worst] = shown
  const rest = worst === undefined ? '' : `: ${said(worst, at)}.`
  return { strong: count(shown.length, 'alert fired', 'alerts fired'), rest: ` then${rest}` }
}
