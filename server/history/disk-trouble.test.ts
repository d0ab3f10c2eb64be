import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { at, CLUSTER, election, ended, endedTerms, ManualClock, revision, started, term } from './fixtures.ts'
import { HistoryUnavailable } from './history.ts'
import { openSqliteHistory, type SqliteHistory } from './sqlite-history.ts'

const JOBS = election()
const QUERY = { cluster: CLUSTER, ref: JOBS.ref, limit: 1000 }

let dir: string
let history: SqliteHistory
const clock = new ManualClock()
const file = () => join(dir, 'tenure.db')
const open = (maxFactRows = 50_000) => openSqliteHistory({ file: file(), clock, maxFactRows })

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tenure-trouble-'))
})

afterEach(async () => {
  await history.close()
  rmSync(dir, { recursive: true })
})

/** The connection itself: trouble is made where the disk would make it. */
function rawOf(of: SqliteHistory): DatabaseSync {
  return (Reflect.get(Reflect.get(of, 'writer'), 'opened') as { raw: DatabaseSync }).raw
}

async function recovers(): Promise<void> {
  await expect.poll(() => history.state(), { timeout: 8_000 }).toEqual({ ok: true })
}

async function expectTrouble(error: RegExp): Promise<void> {
  history.record(CLUSTER, JOBS, [started(term(1, 7, 0))])
  history.alive(CLUSTER, { at: at(1), epoch: 0, revision: revision(8) })
  history.sample({ cluster: CLUSTER, source: 'probe', member: 'a' }, at(0), 3)
  const state = await history.flush()
  expect(state).toMatchObject({ ok: false, since: at(0), dropped: 0 })
  expect(state.ok ? '' : state.error).toMatch(error)
  expect(history.state()).toEqual(state)
  expect(await history.load(CLUSTER, at(2))).toMatchObject({ elections: [], error: expect.stringMatching(error) })
  for (const read of [history.terms(QUERY), history.events(QUERY)]) {
    await expect(read).rejects.toBeInstanceOf(HistoryUnavailable)
  }
}

describe('a file that cannot be opened', () => {
  it('that is a folder shows in the state, and is used once it is gone', async () => {
    mkdirSync(file())
    history = open()
    await expectTrouble(/unable to open/)
    rmSync(file(), { recursive: true })
    await recovers()
    expect((await history.terms(QUERY)).terms).toHaveLength(1)
  })

  it('that is no database shows in the state and is left as it is', async () => {
    writeFileSync(file(), 'this is not a database, but more than a hundred bytes of somebody’s text. '.repeat(100))
    history = open()
    await expectTrouble(/not a database/)
  })
})

describe('a file that goes bad', () => {
  it('damaged pages show in the state or in the answer, and never as a throw of what records', async () => {
    history = open()
    history.record(CLUSTER, JOBS, endedTerms(500).map(ended))
    await history.close()
    const handle = openSync(file(), 'r+')
    const { size } = fstatSync(handle)
    writeSync(handle, Buffer.alloc(size - 4096, 0xa5), 0, size - 4096, 4096)
    closeSync(handle)
    history = open()
    await expectTrouble(/malformed|corrupt/)
  })

  it('a file system that became read-only shows in the state, and reading goes on', async () => {
    history = open()
    history.record(CLUSTER, JOBS, [started(term(1, 7, 0))])
    await history.flush()
    rawOf(history).exec('PRAGMA query_only = ON')
    history.record(CLUSTER, JOBS, [started(term(2, 9, 1))])
    expect(await history.flush()).toMatchObject({ ok: false, error: expect.stringMatching(/readonly/) })
    expect((await history.terms(QUERY)).terms).toHaveLength(1)
    rawOf(history).exec('PRAGMA query_only = OFF')
    await recovers()
    expect((await history.terms(QUERY)).terms).toHaveLength(2)
  })
})

describe('a disk that fills up', () => {
  /** Only the writer can be limited: SQLite counts pages per connection. */
  const limit = (pages: number | null) => {
    rawOf(history).exec(`PRAGMA max_page_count = ${pages ?? 1_000_000}`)
  }

  it('keeps what comes in, says so, still reads, and writes it when there is room again', async () => {
    history = open()
    const terms = endedTerms(3000)
    history.record(CLUSTER, JOBS, [ended(terms[0] ?? term(1, 1, 0))])
    await history.flush()
    limit(1)
    history.record(CLUSTER, JOBS, terms.map(ended))
    expect(await history.flush()).toMatchObject({ ok: false, error: expect.stringMatching(/full/) })
    expect((await history.terms(QUERY)).terms.length).toBeLessThan(3000)
    limit(null)
    await recovers()
    await history.flush()
    const after = await history.terms({ ...QUERY, limit: 1000 })
    expect(after.terms.map((found) => found.ordinal)).toEqual(Array.from({ length: 1000 }, (_, n) => 3000 - n))
    expect(after.gaps).toEqual([])
  })

  it('keeps the newest when it lasts, and leaves a gap that says how many are missing', async () => {
    history = open(400)
    history.record(CLUSTER, JOBS, [])
    await history.flush()
    limit(1)
    for (const value of endedTerms(1000)) {
      clock.ms = Date.parse(value.to ?? value.from)
      history.record(CLUSTER, JOBS, [ended(value)])
    }
    const state = await history.flush()
    expect(state.ok ? 0 : state.dropped).toBeGreaterThan(2000)
    limit(null)
    await recovers()
    await history.flush()
    const { terms, gaps } = await history.terms(QUERY)
    expect(terms[0]?.ordinal).toBe(1000)
    expect(terms.length).toBeLessThanOrEqual(134)
    expect(gaps).toEqual([
      { from: at(9), to: expect.any(String), reason: expect.stringMatching(/could not be written: \d+ changes/) },
    ])
    expect(gaps[0]?.to).toBe(at((terms.at(-1)?.ordinal ?? 0) * 10 - 11))
    clock.ms = Date.parse(at(0))
  })
})

describe('other trouble', () => {
  it('a change that no attempt can store does not hold up those behind it', async () => {
    history = open()
    const endless = term(1, '99999999999999999999999', 0)
    history.record(CLUSTER, JOBS, [started(endless)])
    history.record(CLUSTER, JOBS, [started(term(1, 'not a revision', 0))])
    history.record(CLUSTER, JOBS, [started(term(1, 7, 0, { from: 'yesterday' }))])
    history.record(CLUSTER, JOBS, [started(term(2, 9, 1))])
    history.alive(CLUSTER, { at: at(1), epoch: 0, revision: revision('') })
    expect(await history.flush()).toEqual({ ok: true })
    expect((await history.terms(QUERY)).terms.map((found) => found.ordinal)).toEqual([2])
  })

  it('a lock held by another connection is waited for without stopping the event loop', async () => {
    history = open()
    await history.flush()
    const other = new DatabaseSync(file())
    other.exec('BEGIN IMMEDIATE')
    history.record(CLUSTER, JOBS, [started(term(1, 7, 0))])
    const flushed = history.flush()
    let longestMs = 0
    for (let lastMs = performance.now(), n = 0; n < 60; n += 1) {
      await wait(5)
      longestMs = Math.max(longestMs, performance.now() - lastMs)
      lastMs = performance.now()
    }
    expect(history.state()).toEqual({ ok: true })
    other.exec('ROLLBACK')
    other.close()
    expect(await flushed).toEqual({ ok: true })
    expect((await history.terms(QUERY)).terms).toHaveLength(1)
    expect(longestMs).toBeLessThan(150)
  })

  it('a connection that was closed under it is opened again', async () => {
    history = open()
    history.record(CLUSTER, JOBS, [started(term(1, 7, 0))])
    await history.flush()
    rawOf(history).close()
    history.record(CLUSTER, JOBS, [started(term(2, 9, 1))])
    expect((await history.flush()).ok).toBe(false)
    await recovers()
    expect((await history.terms(QUERY)).terms).toHaveLength(2)
  })

  it('takes nothing after it was closed, and does not throw', async () => {
    history = open()
    await history.close()
    history.record(CLUSTER, JOBS, [started(term(1, 7, 0))])
    await history.flush()
    await expect(history.terms(QUERY)).rejects.toBeInstanceOf(HistoryUnavailable)
    await history.close()
  })

  it('closing writes what waited, in the same breath', async () => {
    history = open()
    history.record(CLUSTER, JOBS, [started(term(1, 7, 0))])
    await history.close()
    history = open()
    expect((await history.terms(QUERY)).terms).toHaveLength(1)
  })
})
