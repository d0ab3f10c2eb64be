/** Says of a recording whether anything happened that must never happen. Pure. */
import { compareTokens, type FencingToken } from '../../lib/election/epoch.ts'
import type { Attempt } from '../harness/fenced-resource.ts'
import type { Believed, Finding, Judgement, Recording } from './record.ts'

export interface Rules {
  /**
   * True where only the leader's own clock and etcd's decide: then no two workers may believe at once. False
   * where a third party takes lease or key away: the overlap is measured then.
   */
  exclusive: boolean
}

type Judge = (recording: Recording, rules: Rules) => Finding[]

const name = ({ epoch, revision }: FencingToken) => `${epoch}.${revision}`
const ms = (value: number) => `${value.toFixed(1)} ms`
const byBeginning = (terms: readonly Believed[]) => terms.toSorted((a, b) => a.fromMs - b.fromMs)

/** Until when a worker acted as leader. The moment it learnt of the end is later when it could not run before. */
function believedUntil(term: Believed, { exclusive }: Rules): number {
  return exclusive || term.learnedMs === null ? term.provenMs : term.learnedMs
}

function overlaps({ terms }: Recording, rules: Rules): { former: Believed; next: Believed; byMs: number }[] {
  const found: { former: Believed; next: Believed; byMs: number }[] = []
  const sorted = byBeginning(terms)
  for (const [at, next] of sorted.entries()) {
    const earlier = sorted.slice(0, at).filter((former) => former.worker !== next.worker)
    const former = earlier.toSorted((a, b) => believedUntil(b, rules) - believedUntil(a, rules))[0]
    if (former !== undefined)
      found.push({ former, next, byMs: Math.max(0, believedUntil(former, rules) - next.fromMs) })
  }
  return found
}

const oneLeader: Judge = (recording, rules) =>
  rules.exclusive
    ? overlaps(recording, rules)
        .filter(({ byMs }) => byMs > 0)
        .map(({ former, next, byMs }) => ({
          rule: 'two leaders at once',
          detail: `${former.worker} (${name(former.token)}) believed ${ms(byMs)} beside ${next.worker} (${name(next.token)})`,
        }))
    : []

const tokensRise: Judge = ({ terms }) =>
  byBeginning(terms).flatMap((term, at, all) => {
    const before = all[at - 1]
    if (before === undefined || compareTokens(term.token, before.token) > 0) return []
    return [{ rule: 'token not newer', detail: `${name(term.token)} follows ${name(before.token)}` }]
  })

/** A late write was proven in time only if its worker stood still between the proof and the write. */
const nothingAfterTheEnd: Judge = ({ terms, attempts }) =>
  attempts.flatMap(({ worker, token, provedMs }) => {
    const term = terms.find((each) => each.worker === worker && compareTokens(each.token, token) === 0)
    if (provedMs === null || term === undefined || term.learnedMs === null || provedMs <= term.learnedMs) return []
    const late = ms(provedMs - term.learnedMs)
    return [{ rule: 'write after the end', detail: `${worker} wrote with ${name(token)} ${late} after it had learnt` }]
  })

const nothingAfterWaking: Judge = ({ terms, attempts, frozen }) =>
  frozen.flatMap(({ worker, fromMs, toMs }) => {
    const held = terms.find(
      (each) => each.worker === worker && each.fromMs < fromMs && (each.learnedMs ?? toMs) >= fromMs,
    )
    if (held === undefined) return []
    // It may lead on: then the pause was shorter than what it had left.
    const isSame = (attempt: Attempt) => attempt.worker === worker && compareTokens(attempt.token, held.token) === 0
    const isReplaced = terms.some(
      (each) => each.worker !== worker && each.fromMs < toMs && compareTokens(each.token, held.token) > 0,
    )
    const late = attempts.filter((each) => isSame(each) && each.provedMs !== null && each.provedMs >= toMs)
    if (!isReplaced || late.length === 0) return []
    return [{ rule: 'write after waking', detail: `${worker} wrote ${late.length} times with ${name(held.token)}` }]
  })

/** Also across resources that are broken: what was taken must never go down. */
const acceptedNeverFall: Judge = ({ attempts }) => {
  const accepted = attempts.filter((each) => each.accepted)
  return accepted.flatMap((each, at) => {
    const before = accepted[at - 1]
    if (before === undefined || compareTokens(each.token, before.token) >= 0) return []
    return [{ rule: 'accepted token went down', detail: `${name(each.token)} after ${name(before.token)}` }]
  })
}

/** A token belongs to one term of one worker, and is written with by nobody else. */
const oneTokenATerm: Judge = ({ terms, attempts }) => {
  const owners = Map.groupBy(terms, ({ token }) => name(token))
  const shared = [...owners].filter(([, held]) => held.length > 1)
  const strange = attempts.filter(
    ({ accepted, worker, token }) => accepted && !owners.get(name(token))?.some((term) => term.worker === worker),
  )
  return [
    ...shared.map(([token, held]) => ({
      rule: 'token of two terms',
      detail: `${token} of ${held.map(({ worker }) => worker).join(' and ')}`,
    })),
    ...strange.map(({ worker, token }) => ({ rule: 'token of no term', detail: `${worker} with ${name(token)}` })),
  ]
}

const rejectionsCounted: Judge = ({ attempts, counted }) =>
  counted.flatMap(({ worker, rejected }) => {
    const refused = attempts.filter((each) => each.worker === worker && !each.accepted).length
    if (refused === rejected) return []
    return [{ rule: 'rejections not counted', detail: `${worker} counted ${rejected} of ${refused}` }]
  })

const toldOnce: Judge = ({ terms }) =>
  terms
    .filter(({ ended }) => ended > 1)
    .map(({ worker, ended }) => ({ rule: 'end told twice', detail: `${worker} was told ${ended} times` }))

function failovers({ terms, failovers: wanted }: Recording): { what: string; tookMs: number; boundMs: number }[] {
  return wanted.map(({ what, atMs, boundMs }) => {
    const next = byBeginning(terms).find(({ fromMs }) => fromMs > atMs)
    return { what, boundMs, tookMs: next === undefined ? Number.POSITIVE_INFINITY : next.fromMs - atMs }
  })
}

function longestVacancy({ terms }: Recording): number {
  let longestMs = 0
  let coveredMs = Number.POSITIVE_INFINITY
  for (const { fromMs, provenMs } of byBeginning(terms)) {
    longestMs = Math.max(longestMs, fromMs - coveredMs)
    coveredMs = Math.max(coveredMs === Number.POSITIVE_INFINITY ? 0 : coveredMs, provenMs)
  }
  return longestMs
}

const inTime: Judge = (recording) =>
  failovers(recording)
    .filter(({ tookMs, boundMs }) => tookMs > boundMs)
    .map(({ what, tookMs, boundMs }) => ({
      rule: 'no leader in time',
      detail: `after ${what}: ${ms(tookMs)}, at most ${ms(boundMs)}`,
    }))

/** A recording in which nobody led or wrote proves nothing. */
const somethingHappened: Judge = ({ terms, attempts }) =>
  terms.length > 0 && attempts.some(({ accepted }) => accepted)
    ? []
    : [{ rule: 'nothing happened', detail: `${terms.length} terms, ${attempts.length} attempts` }]

const RULES: readonly Judge[] = [
  oneLeader,
  tokensRise,
  nothingAfterTheEnd,
  nothingAfterWaking,
  acceptedNeverFall,
  oneTokenATerm,
  rejectionsCounted,
  toldOnce,
  inTime,
  somethingHappened,
]

export function judge(recording: Recording, rules: Rules): Judgement {
  const { terms, attempts, frozen } = recording
  const isHeldBack = ({ worker, provedMs, atMs }: Attempt) =>
    frozen.some((each) => each.worker === worker && provedMs !== null && provedMs < each.fromMs && atMs > each.toMs)
  return {
    findings: RULES.flatMap((rule) => rule(recording, rules)),
    terms: terms.length,
    attempts: attempts.length,
    rejected: attempts.filter(({ accepted }) => !accepted).length,
    overlapsMs: overlaps(recording, rules).map(({ byMs }) => byMs),
    failoversMs: failovers(recording).map(({ tookMs }) => tookMs),
    vacancyMs: longestVacancy(recording),
    heldBack: attempts.filter(isHeldBack).length,
  }
}

/** The value below which `share` of all lie; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
