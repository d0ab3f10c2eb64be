/** What an incident is made of, for tests: a minute after the start is `at(60)`. */
import { type Instant, instant } from '../shared/clock.ts'
import type { Alert } from './alerts.ts'
import { refOf } from './ids.ts'
import type { IncidentSeen, SeenElection } from './incident-report.ts'
import type { EndedBy, Revision, Term } from './types.ts'

const T0 = Date.parse('2026-03-12T03:00:00.000Z')
export const at = (s: number): Instant => instant(T0 + s * 1_000)

export const LOST: EndedBy = { cause: 'lease lost', evidence: 'key gone at revision 59, lease gone' }

/** The term with token `100 + ordinal`, led by `w<ordinal>` from `fromS` to `toS`. */
export function term(ordinal: number, fromS: number, toS: number | null, part: Partial<Term> = {}): Term {
  return {
    ordinal,
    epoch: 0,
    token: String(100 + ordinal) as Revision,
    leader: { identity: `w${ordinal}`, key: `/e/jobs/${ordinal}`, keyBase64: `k${ordinal}`, lease: null },
    from: at(fromS),
    fromAtLeast: false,
    to: toS === null ? null : at(toS),
    gapMs: null,
    takeoverMs: null,
    silentMs: null,
    endedBy: toS === null ? null : LOST,
    ...part,
  }
}

export function seenElection(name: string, part: Partial<SeenElection> = {}): SeenElection {
  const prefix = `/e/${name}/`
  return {
    ref: refOf('queue', prefix),
    name,
    prefix,
    prefixBase64: btoa(prefix),
    ledObjective: 99.9,
    terms: [],
    gaps: [],
    annotations: [],
    ...part,
  }
}

/** Ten minutes of the cluster `prod` in which nothing happened. */
export function seen(part: Partial<IncidentSeen> = {}): IncidentSeen {
  return {
    cluster: 'prod',
    from: at(0),
    to: at(600),
    madeAt: at(900),
    elections: [],
    untold: { elections: 0, isMore: false, actions: 'none', alerts: 'none' },
    gaps: [],
    stops: [],
    conditions: [],
    masses: [],
    actions: [],
    alerts: [],
    ...part,
  }
}

/** `jobs has no leader`, from 90 s on; fired at 110 s, over at 362 s. */
export function alert(part: Partial<Alert> = {}): Alert {
  return {
    id: '1',
    key: 'prod leaderless jobs',
    rule: 'leaderless',
    severity: 'critical',
    cluster: 'prod',
    subject: 'jobs',
    stage: 'resolved',
    since: at(90),
    sinceApproximate: false,
    firedAt: at(110),
    resolvedAt: at(362),
    resolvedApproximate: false,
    summary: 'jobs has no leader',
    detail: 'Nobody has led for 20 s.',
    acknowledged: null,
    silence: null,
    partOf: null,
    ...part,
  }
}
