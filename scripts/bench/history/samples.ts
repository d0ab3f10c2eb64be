/** One sample a second of each election in the tables, at the widths and for as long as each tier keeps them. */
import type { Database } from '../../../server/history/database.ts'
import { Summary } from '../../../server/history/sketch.ts'
import { toStored } from '../../../server/history/thousandths.ts'
import { blockOf, RAW, ROLLED, type Tier } from '../../../server/history/tiers.ts'
import { type Drawn, electionAt, IDENTITIES, SPAN_MS } from './elections.ts'
import { Filler } from './filler.ts'
import type { Seeded } from './seeded.ts'

const SKETCHES = 400

const SERIES = `
  INSERT INTO series (id, cluster_id, source, ref, member, identity, last_ms) VALUES (?, 1, 'holder', ?, '', ?, ?)`
const SAMPLE = 'INSERT INTO samples (block, series_id, offset_ms, seq, value) VALUES (?, ?, ?, ?, ?)'
const ROLLED_ROW = `
  INSERT INTO rolled (tier, block, series_id, slot, count, min, max, sketch) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

/** `count` of one sketch each, as its tier holds it: made once, since a million of them would take an hour. */
function sketches(samples: number, random: Seeded) {
  return Array.from({ length: SKETCHES }, () => {
    const summary = new Summary()
    const median = 3 + random.next() * 4
    for (let at = 0; at < samples; at += 1) summary.add(random.roundTripMs(median))
    return summary.toRow()
  })
}

/** One sample a second of each election, at the widths and for as long as each tier keeps them. */
export function fillSamples(database: Database, { nowMs, random, size }: Drawn): void {
  const fill = new Filler(database)
  for (let at = 0; at < size.elections * IDENTITIES; at += 1) {
    fill.run(SERIES, at + 1, electionAt(Math.floor(at / IDENTITIES)).ref, `worker-${at % IDENTITIES}`, nowMs)
  }
  const seriesOf = (election: number, atMs: number) => {
    const who = Math.floor(atMs / (SPAN_MS / size.termsEach) + election) % IDENTITIES
    return election * IDENTITIES + who + 1
  }
  for (const tier of ROLLED) fillTier(fill, { tier, nowMs, random, size, seriesOf })
  for (let block = blockOf(RAW, nowMs - RAW.keepMs); block < blockOf(RAW, nowMs); block += 1) {
    for (let election = 0; election < size.elections; election += 1) {
      for (let second = 0; second < RAW.blockMs / 1_000; second += 1) {
        const offsetMs = second * 1_000 + (election % 1_000)
        fill.run(SAMPLE, block, seriesOf(election, block * RAW.blockMs), offsetMs, 0, toStored(random.roundTripMs(5)))
      }
    }
  }
  for (const tier of ROLLED) {
    const uptoMs = Math.floor(nowMs / tier.widthMs) * tier.widthMs
    fill.run('INSERT INTO rollup_marks (tier, upto_ms) VALUES (?, ?)', tier.index, uptoMs)
  }
  fill.done()
}

interface TierFill extends Drawn {
  tier: Tier
  seriesOf(election: number, atMs: number): number
}

function fillTier(fill: Filler, { tier, nowMs, random, size, seriesOf }: TierFill): void {
  const rows = sketches(tier.widthMs / 1_000, random)
  const perBlock = tier.blockMs / tier.widthMs
  const endMs = Math.floor(nowMs / tier.widthMs) * tier.widthMs
  for (let block = blockOf(tier, nowMs - tier.keepMs); block <= blockOf(tier, nowMs); block += 1) {
    for (let election = 0; election < size.elections; election += 1) {
      const series = seriesOf(election, block * tier.blockMs)
      for (let at = 0; at < perBlock; at += 1) {
        const fromMs = block * tier.blockMs + at * tier.widthMs
        if (fromMs >= endMs) break
        const { count, min, max, sketch } = random.pick(rows)
        fill.run(ROLLED_ROW, tier.index, block, series, at, count, toStored(min), toStored(max), sketch)
      }
    }
  }
}
