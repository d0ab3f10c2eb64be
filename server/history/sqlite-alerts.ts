/** Alerts in a SQLite file. What changed waits in memory until it is written; all of one `save` is one transaction. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Alert, Delivery, Silence } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { openAlertDatabase } from './alert-database.ts'
import { type LoggedDelivery, Queues } from './alert-queues.ts'
import {
  type AlertHistoryQuery,
  type AlertStore,
  type DeliveryQuery,
  type KeptAlert,
  type Saving,
  withoutKept,
} from './alert-store.ts'
import { keepsConnection, messageOf } from './failures.ts'
import { HistoryUnavailable, InvalidCursor } from './history.ts'
import type { Message } from './outbox.ts'
import { inTransaction } from './own-database.ts'

/** A step of tidying: short enough not to be noticed. */
const PRUNE_ROWS = 500
/** Silences that nobody ended are over at `until`. */
const overAt = ({ until, ended }: Silence): Instant => (ended !== null && ended.at < until ? ended.at : until)

export class SqliteAlerts extends Queues implements AlertStore {
  problem: string | null = null
  changes = 0
  private readonly file: string
  private database: DatabaseSync | null = null
  private closed = false
  private readonly alerts = new Map<string, KeptAlert>()
  private readonly silences = new Map<string, Silence>()
  private readonly logged: Map<string, LoggedDelivery>

  constructor(file: string) {
    const logged = new Map<string, LoggedDelivery>()
    super((each) => logged.set(`${each.delivery.channel} ${each.delivery.id}`, each))
    this.logged = logged
    this.file = file
  }

  load(resolvedSince: Instant): { alerts: KeptAlert[]; silences: Silence[] } {
    try {
      const database = this.open()
      const waiting = database
        .prepare(`select body, message from deliveries where state = 'waiting' order by number`)
        .all()
      for (const { body, message } of waiting) {
        this.restore({ delivery: parsed<Delivery>(body), message: parsed<Message>(message) })
      }
      return {
        alerts: bodies<KeptAlert>(
          database,
          `select body from alerts where resolved_at is null union all select body from alerts where resolved_at >= ?`,
          [resolvedSince],
        ),
        silences: bodies<Silence>(database, 'select body from silences where over_at >= ?', [resolvedSince]),
      }
    } catch (error) {
      this.trouble(error)
      return { alerts: [], silences: [] }
    }
  }

  save({ alerts = [], silences = [], messages = [] }: Saving): void {
    for (const alert of alerts) this.alerts.set(alert.id, alert)
    for (const silence of silences) this.silences.set(silence.id, silence)
    for (const { channel, message } of messages) this.add(channel, message)
    this.flush()
    this.announce(new Set(messages.map(({ channel }) => channel)))
  }

  override delivered(channel: string, id: string, at: Instant): void {
    super.delivered(channel, id, at)
    this.flush()
  }

  override failed(channel: string, id: string, failure: { at: Instant; error: string; nextAt: Instant | null }): void {
    super.failed(channel, id, failure)
    this.flush()
  }

  logTest(delivery: Delivery): void {
    this.logged.set(`${delivery.channel} ${delivery.id}`, { delivery, message: null })
    this.flush()
  }

  flush(): void {
    if (this.closed || this.alerts.size + this.silences.size + this.logged.size === 0) return
    this.changes += 1
    try {
      const database = this.open()
      inTransaction(database, () => this.write(database))
      this.alerts.clear()
      this.silences.clear()
      this.logged.clear()
      this.problem = null
    } catch (error) {
      this.trouble(error)
    }
  }

  history(query: AlertHistoryQuery): { alerts: Alert[]; nextCursor?: string } {
    const limit = clamp(query.limit)
    const [firedAt, id] = cursorOf(query.cursor)
    const where: string[] = []
    const values: SQLInputValue[] = []
    const and = (sql: string, ...own: SQLInputValue[]) => {
      where.push(sql)
      values.push(...own)
    }
    if (query.cluster !== undefined) and('(cluster = ? or cluster is null)', query.cluster)
    if (query.ref !== undefined) and('ref = ?', query.ref)
    if (query.rule !== undefined) and('rule = ?', query.rule)
    if (query.from !== undefined) and('(resolved_at is null or resolved_at >= ?)', query.from)
    if (query.to !== undefined) and('fired_at < ?', query.to)
    if (firedAt !== undefined && id !== undefined) and('(fired_at, id) < (?, ?)', firedAt, id)
    const condition = where.length === 0 ? '' : `where ${where.join(' and ')}`
    const sql = `select body from alerts ${condition} order by fired_at desc, id desc limit ?`
    const found = this.reading((database) => bodies<KeptAlert>(database, sql, [...values, limit + 1]))
    const alerts = found.slice(0, limit).map(withoutKept)
    const last = alerts.at(-1)
    return found.length > limit && last ? { alerts, nextCursor: `${last.firedAt} ${last.id}` } : { alerts }
  }

  deliveries(query: DeliveryQuery): { deliveries: Delivery[]; nextCursor?: string } {
    const limit = clamp(query.limit)
    const before = numberOf(query.cursor)
    const where = ['number < ?', ...(query.channel ? ['channel = ?'] : []), ...(query.alertId ? ['alert_id = ?'] : [])]
    const values = [before, ...[query.channel, query.alertId].filter((each) => each !== undefined)]
    const sql = `select number, body from deliveries where ${where.join(' and ')} order by number desc limit ?`
    const rows = this.reading((database) => database.prepare(sql).all(...values, limit + 1))
    const deliveries = rows.slice(0, limit).map(({ body }) => parsed<Delivery>(body))
    const last = rows[limit - 1]
    return rows.length > limit && last ? { deliveries, nextCursor: String(last.number) } : { deliveries }
  }

  prune(before: Instant): boolean {
    try {
      const database = this.open()
      const steps = [
        `delete from alerts where id in (select id from alerts where resolved_at < ? limit ${PRUNE_ROWS})`,
        `delete from silences where id in (select id from silences where over_at < ? limit ${PRUNE_ROWS})`,
        `delete from deliveries where number in (select number from deliveries where at < ? and state <> 'waiting' limit ${PRUNE_ROWS})`,
      ]
      return steps.map((sql) => Number(database.prepare(sql).run(before).changes)).some((rows) => rows === PRUNE_ROWS)
    } catch (error) {
      this.trouble(error)
      return false
    }
  }

  close(): void {
    this.flush()
    this.closed = true
    if (this.database?.isOpen) this.database.close()
    this.database = null
  }

  private write(database: DatabaseSync): void {
    const alert = database.prepare('insert or replace into alerts values (?, ?, ?, ?, ?, ?, ?, ?)')
    for (const each of this.alerts.values()) {
      const { id, key, rule, cluster, ref, firedAt, resolvedAt } = each
      alert.run(id, key, rule, cluster, ref ?? null, firedAt ?? each.since, resolvedAt, JSON.stringify(each))
    }
    const silence = database.prepare('insert or replace into silences values (?, ?, ?)')
    for (const each of this.silences.values()) silence.run(each.id, overAt(each), JSON.stringify(each))
    const logged = database.prepare(
      `insert into deliveries (id, channel, alert_id, at, state, body, message) values (?, ?, ?, ?, ?, ?, ?)
       on conflict (channel, id) do update set state = excluded.state, body = excluded.body, message = excluded.message`,
    )
    for (const { delivery, message } of this.logged.values()) {
      const { id, channel, alertId, at, state } = delivery
      const text = message === null ? null : JSON.stringify(message)
      logged.run(id, channel, alertId, at, state, JSON.stringify(delivery), text)
    }
  }

  private reading<T>(work: (database: DatabaseSync) => T): T {
    this.flush()
    try {
      return work(this.open())
    } catch (error) {
      throw new HistoryUnavailable(`what is kept of alerts cannot be read: ${messageOf(error)}`)
    }
  }

  private open(): DatabaseSync {
    if (this.closed) throw new Error('Tenure is stopping')
    this.database ??= openAlertDatabase(this.file)
    return this.database
  }

  private trouble(error: unknown): void {
    if (!keepsConnection(error)) {
      if (this.database?.isOpen) this.database.close()
      this.database = null
    }
    this.problem = `${this.file} cannot be used: ${messageOf(error)}`
  }
}

const parsed = <T>(text: SQLInputValue | undefined): T => JSON.parse(String(text)) as T

function bodies<T>(database: DatabaseSync, sql: string, values: readonly SQLInputValue[]): T[] {
  return database
    .prepare(sql)
    .all(...values)
    .map(({ body }) => parsed<T>(body))
}

const clamp = (limit: number) => Math.max(1, Math.min(200, limit))

function cursorOf(cursor: string | undefined): [string, string] | [] {
  if (cursor === undefined) return []
  const found = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) ([0-9a-f-]{1,40})$/.exec(cursor)
  if (found?.[1] === undefined || found[2] === undefined) throw new InvalidCursor(cursor)
  return [found[1], found[2]]
}

function numberOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  if (!/^\d{1,15}$/.test(cursor)) throw new InvalidCursor(cursor)
  return Number(cursor)
}
