/** Alerts in a SQLite file. What changed waits in memory until it is written; all of one `save` is one transaction. */
import { statSync } from 'node:fs'
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
  /** Until then nothing is written: it would stand beside what is there already. */
  private isLoaded = false
  private inode: number | null = null
  private replaced = false
  private damaged = 0
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

  load(resolvedSince: Instant): { alerts: KeptAlert[]; silences: Silence[] } | null {
    try {
      const database = this.open()
      const open =
        'select body from alerts where resolved_at is null union all select body from alerts where resolved_at >= ?'
      const known = {
        alerts: this.bodies<KeptAlert>(database, open, [resolvedSince]),
        silences: this.bodies<Silence>(database, 'select body from silences where over_at >= ?', [resolvedSince]),
      }
      const waiting = database.prepare(`select body, message from deliveries where state = 'waiting' order by number`)
      for (const { body, message } of waiting.all()) {
        const [delivery, told] = [this.parsed<Delivery>(body), this.parsed<Message>(message)]
        if (delivery !== null && told !== null) this.restore({ delivery, message: told })
      }
      this.isLoaded = true
      this.dropTwins(known.alerts)
      this.problem = this.damage()
      return known
    } catch (error) {
      this.trouble(error)
      return null
    }
  }

  /** Found while the file could not be read: the same trouble as one that stands in it, under another id. */
  private dropTwins(known: readonly KeptAlert[]): void {
    const keys = new Set(known.filter(({ resolvedAt }) => resolvedAt === null).map(({ key }) => key))
    for (const [id, { key }] of this.alerts) if (keys.has(key)) this.alerts.delete(id)
  }

  wasReplaced(): boolean {
    const was = this.replaced
    this.replaced = false
    return was
  }

  lastTried(channel: string): { deliveredAt: Instant | null; error: string | null } | null {
    try {
      const sql = `select body from deliveries where channel = ? and state <> 'waiting' order by number desc limit 1`
      const [delivery] = this.bodies<Delivery>(this.open(), sql, [channel])
      return delivery === undefined ? null : { deliveredAt: delivery.deliveredAt, error: delivery.error }
    } catch (error) {
      this.trouble(error)
      return null
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
    if (this.closed || !this.isLoaded) return
    this.lookAtFile()
    if (this.alerts.size + this.silences.size + this.logged.size === 0) return
    this.changes += 1
    try {
      const database = this.open()
      inTransaction(database, () => this.write(database))
      this.alerts.clear()
      this.silences.clear()
      this.logged.clear()
      this.problem = this.damage()
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
    const found = this.reading((database) => this.bodies<KeptAlert>(database, sql, [...values, limit + 1]))
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
    const deliveries = rows.slice(0, limit).flatMap(({ body }) => this.parsed<Delivery>(body) ?? [])
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
    if (this.database === null) {
      this.database = openAlertDatabase(this.file)
      this.inode = statSync(this.file).ino
    }
    return this.database
  }

  /** What is written to a file that somebody took away would be lost with it. */
  private lookAtFile(): void {
    if (this.database === null || statSync(this.file, { throwIfNoEntry: false })?.ino === this.inode) return
    this.replaced = true
    this.database.close()
    this.database = null
  }

  private bodies<T>(database: DatabaseSync, sql: string, values: readonly SQLInputValue[]): T[] {
    const rows = database.prepare(sql).all(...values)
    return rows.flatMap(({ body }) => this.parsed<T>(body) ?? [])
  }

  /** A row that cannot be read must not hide the others. */
  private parsed<T>(text: SQLInputValue | undefined): T | null {
    try {
      return JSON.parse(String(text)) as T
    } catch {
      this.damaged += 1
      return null
    }
  }

  private damage(): string | null {
    return this.damaged === 0 ? null : `${this.file} is damaged: what cannot be read of it is left out`
  }

  private trouble(error: unknown): void {
    if (!keepsConnection(error)) {
      if (this.database?.isOpen) this.database.close()
      this.database = null
    }
    this.problem = `${this.file} cannot be used: ${messageOf(error)}`
  }
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
