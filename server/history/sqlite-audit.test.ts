import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Audit, AuditUnavailable } from './audit.ts'
import { auditContract } from './audit-contract.ts'
import { draft, outcome, refusal } from './audit-fixtures.ts'
import { ManualClock } from './fixtures.ts'
import { openSqliteAudit } from './sqlite-audit.ts'

auditContract('SQLite audit log', () => {
  const clock = new ManualClock()
  const dir = mkdtempSync(join(tmpdir(), 'tenure-audit-'))
  const audit = openSqliteAudit({ file: join(dir, 'audit.sqlite'), clock })
  const stop = () => {
    audit.close()
    rmSync(dir, { recursive: true })
  }
  return { audit, clock, stop }
})

let dir: string
let audit: Audit
const file = () => join(dir, 'audit.sqlite')
const open = () => openSqliteAudit({ file: file(), clock: new ManualClock() })

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tenure-audit-'))
  audit = open()
})

afterEach(() => {
  audit.close()
  rmSync(dir, { recursive: true })
})

function other<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file())
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** The connection itself: trouble is made where the disk would make it. */
const raw = () => (Reflect.get(audit, 'open') as { database: DatabaseSync }).database

function refusesWith(words: RegExp): void {
  expect(() => audit.add(draft())).toThrow(AuditUnavailable)
  expect(() => audit.add(draft())).toThrow(words)
}

describe('the file', () => {
  it('is for its owner alone, also the files that SQLite puts beside it', () => {
    audit.add(draft())
    for (const name of ['', '-wal', '-shm']) expect(statSync(`${file()}${name}`).mode & 0o777, name).toBe(0o600)
    audit.close()
    chmodSync(file(), 0o644)
    audit = open()
    audit.add(draft())
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('takes rows and lets none go or change, whoever asks', () => {
    audit.add(draft())
    const changes: string[] = [
      'delete from audit',
      `update audit set body = '{}'`,
      'update audit set number = 9',
      `insert or replace into audit (number, at, kind, operation, verb, body, hash) values (1, '', '', '', '', '{}', '')`,
      `insert into audit (number, at, kind, operation, verb, body, hash) values (0, '', '', '', '', '{}', '')`,
    ]
    for (const sql of changes) {
      expect(() => other((database) => database.exec(sql)), sql).toThrow('only added to')
    }
    expect(audit.list({ limit: 9 }).entries).toHaveLength(1)
    expect(audit.list({ limit: 9 }).entries[0]).toMatchObject({ ...draft(), number: 1 })
  })

  it('goes on with its chain after a restart', () => {
    const first = audit.add(draft())
    audit.close()
    audit = open()
    const second = audit.add(outcome('verified'))
    expect(second.number).toBe(2)
    expect(audit.list({ limit: 9 }).entries).toEqual([second, first])
    expect(audit.operation(first.operation)?.intent).toEqual(first)
  })

  it('of the first version is completed, and its entries are found by search', () => {
    audit.close()
    other((database) => {
      database.exec(`create table audit (number integer primary key, at text not null, kind text not null,
        operation text not null, verb text not null, cluster text, ref text, body text not null, hash text not null) strict;
        create index audit_operation on audit (operation); create index audit_election on audit (cluster, ref, number)`)
      database.exec(`insert into audit values (1, '2026-01-01T00:00:00.000Z', 'refusal', 'op', 'engage', 'eu', null,
        '{"number":1,"kind":"refusal","reason":"an old reason"}', 'x')`)
      database.exec('PRAGMA user_version = 1')
    })
    audit = open()
    expect(audit.list({ limit: 9, search: 'old reason', result: 'refused' }).entries).toHaveLength(1)
  })
})

describe('a file that cannot be used', () => {
  it('a folder of that name: the words say so, and it is used once the folder is gone', () => {
    mkdirSync(file())
    refusesWith(/audit\.sqlite is a folder/)
    expect(() => audit.list({ limit: 1 })).toThrow(AuditUnavailable)
    rmSync(file(), { recursive: true })
    expect(audit.add(draft()).number).toBe(1)
  })

  it('something else under that name is left as it is', () => {
    const text = 'this is not a database, but more than a hundred bytes of somebody’s text. '.repeat(100)
    writeFileSync(file(), text)
    refusesWith(/is no audit log/)
    rmSync(file())
    expect(audit.add(draft()).number).toBe(1)
  })

  it('a full disk: nothing is stored, what is there can be read, and it goes on when there is room', () => {
    audit.add(draft())
    raw().exec('PRAGMA max_page_count = 1')
    const large = draft({ reason: 'x'.repeat(200_000) })
    expect(() => audit.add(large)).toThrow(/the disk of .* is full/)
    expect(audit.list({ limit: 9 }).entries).toHaveLength(1)
    raw().exec('PRAGMA max_page_count = 1000000')
    expect(audit.add(large).number).toBe(2)
  })

  it('a disk that became read-only', () => {
    audit.add(draft())
    raw().exec('PRAGMA query_only = ON')
    refusesWith(/read-only/)
    expect(audit.list({ limit: 9 }).entries).toHaveLength(1)
    raw().exec('PRAGMA query_only = OFF')
    expect(audit.add(refusal()).number).toBe(2)
  })

  it('a lock that another process holds is waited for shortly, not for seconds', () => {
    audit.add(draft())
    other((database) => {
      database.exec('BEGIN IMMEDIATE')
      const before = performance.now()
      expect(() => audit.add(draft())).toThrow(/locked by another process/)
      expect(performance.now() - before).toBeLessThan(1_000)
      expect(audit.list({ limit: 9 }).entries).toHaveLength(1)
      database.exec('ROLLBACK')
    })
    expect(audit.add(draft()).number).toBe(2)
  })

  it('a file that was moved away takes no entries until it is back', () => {
    audit.add(draft())
    renameSync(file(), `${file()}.old`)
    refusesWith(/was moved or replaced/)
    renameSync(`${file()}.old`, file())
    expect(audit.add(draft()).number).toBe(2)
  })
})
