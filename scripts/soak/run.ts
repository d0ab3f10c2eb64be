/** One soak from start to verdict. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { workDir } from '../setup/paths.mjs'
import { lyingClaims } from './claims.ts'
import { compare } from './compare.ts'
import { Conductor } from './conductor.ts'
import { type Claim, type Difference, TOLERANCE, type Told, type Truth } from './model.ts'
import { planOf } from './plan.ts'
import { seeded } from './random.ts'
import { replay } from './replay.ts'
import type { Outcome } from './report.ts'
import { type Sabotage, sabotage } from './sabotage.ts'
import { openStage, SEATS, type Stage } from './stage.ts'
import { listElections, readHistory } from './tenure.ts'

/** Of all samples, in the roughest of schedules. */
const LEAST_LIVE = 0.2
const SETTLED_AFTER_MS = 3_000
const SETTLE_WITHIN_MS = 40_000
const CURRENT_WITHIN_MS = 60_000
/** A cause may be looked up for some seconds after its term's end. */
const CAUSES_WITHIN_MS = 8_000

export interface SoakOptions {
  seed: number
  durationMs: number
  sabotage?: Sabotage
  say: (text: string) => void
}

/** Waits until nothing happens in etcd any more, so that both sides speak of the same time. */
async function settle({ observer }: Stage): Promise<void> {
  const until = performance.now() + SETTLE_WITHIN_MS
  let revision = observer.revision
  let sinceMs = performance.now()
  while (performance.now() - sinceMs < SETTLED_AFTER_MS && performance.now() < until) {
    await pause(100)
    if (observer.revision === revision) continue
    revision = observer.revision
    sinceMs = performance.now()
  }
}

async function currentRevision({ client }: Stage): Promise<number> {
  return Number((await client.kv.range({ key: Buffer.from('/') })).header.revision)
}

async function becomesCurrent({ server }: Stage, revision: number): Promise<boolean> {
  const until = performance.now() + CURRENT_WITHIN_MS
  for (;;) {
    const listed = await listElections(server.url).catch(() => null)
    if (listed?.freshness === 'live' && listed.revision >= revision) return true
    if (performance.now() > until) return false
    await pause(200)
  }
}

/** The observer is the judge: it has to agree with etcd itself before it may judge. */
async function examine({ client, observer }: Stage, revision: number): Promise<void> {
  if (!(await observer.reached(revision, 10_000))) throw new Error(`the observer has holes up to revision ${revision}`)
  const { kvs } = await client.kv.range({ key: Buffer.of(0), range_end: Buffer.of(0), revision: String(revision) })
  const stored = kvs.map(({ key, create_revision }) => `${key.toString('latin1')} ${create_revision}`).sort()
  const seen = [...observer.keys.all.values()].map(({ key, created }) => `${key} ${created}`).sort()
  if (stored.join('\n') !== seen.join('\n')) throw new Error('the observer and etcd do not agree on the keys')
}

interface Gathered {
  truths: Truth[]
  told: Told[]
  differences: Difference[]
}

async function gather(stage: Stage): Promise<Gathered> {
  const differences: Difference[] = []
  for (let attempt = 0; ; attempt += 1) {
    await settle(stage)
    const revision = await currentRevision(stage)
    if (!(await becomesCurrent(stage, revision))) {
      const message = `Tenure is not live at revision ${revision} within ${CURRENT_WITHIN_MS / 1000} s`
      differences.push({ kind: 'not recovered', prefix: '', message, atMs: Date.now(), detail: {} })
    }
    await pause(CAUSES_WITHIN_MS)
    const told = await readHistory(stage.server.url)
    await examine(stage, revision)
    const isQuiet = (await currentRevision(stage)) === revision
    if (isQuiet || attempt === 4) return { truths: replay(stage.observer.recording(), SEATS), told, differences }
  }
}

/** A view that was hardly ever live has not been tested, or does not work. */
function blindOf({ samples }: Stage['viewer']): Difference[] {
  const { page, pageLive, api, apiLive } = samples
  if (pageLive > page * LEAST_LIVE && apiLive > api * LEAST_LIVE) return []
  const message = `the page was live in ${pageLive} of ${page} samples, the list in ${apiLive} of ${api}`
  return [{ kind: 'hardly ever live', prefix: '', message, atMs: Date.now(), detail: {} }]
}

function damageOf(file: string): Difference[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const verdict = database.prepare('PRAGMA integrity_check').get()?.integrity_check
  database.close()
  if (verdict === 'ok') return []
  return [{ kind: 'damaged history', prefix: '', message: String(verdict), atMs: Date.now(), detail: {} }]
}

function keep(name: string, record: object): string {
  const folder = join(workDir, 'soak')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(record))
  return file
}

export async function runSoak({ seed, durationMs, sabotage: how, say }: SoakOptions): Promise<Outcome> {
  const steps = planOf(seed, durationMs)
  const stage = await openStage(seeded(seed + 1))
  try {
    say(`seed ${seed}: ${steps.length} steps in ${Math.round(durationMs / 1000)} s`)
    const conductor = new Conductor(stage)
    await conductor.play(steps)
    const rest = durationMs - Math.max(0, ...steps.map(({ atMs }) => atMs))
    await pause(Math.max(0, Math.min(rest, 4_000)))
    const { truths, told, differences } = await gather(stage)
    const claims: Claim[] = stage.viewer.claims()
    const { deeds, observer, server, viewer } = stage
    const { deals } = conductor
    const record = { seed, durationMs, recording: observer.recording(), told, claims, deeds, deals, log: server.log() }
    say(`kept: ${keep(`seed-${seed}`, record)}`)
    if (how !== undefined) sabotage(how, { told, claims })
    await viewer.stop()
    await server.stop()
    const compared = compare({ truths, told, deeds }, TOLERANCE)
    return {
      seed,
      durationMs,
      etcdVersion: stage.etcd.binaries.version,
      revisions: observer.revision,
      events: observer.events,
      counts: compared.counts,
      samples: viewer.samples,
      deals,
      restarts: server.restarts,
      memory: server.memory.report(),
      differences: [
        ...differences,
        ...[...compared.differences, ...lyingClaims(truths, claims, TOLERANCE)].sort((a, b) => a.atMs - b.atMs),
        ...blindOf(viewer),
        ...damageOf(join(server.dataDir, 'history.sqlite')),
      ],
    }
  } finally {
    await stage.stop()
  }
}
