/** The file that keeps alerts: of its own, so that neither history nor the audit log can hold it up. */
import type { DatabaseSync } from 'node:sqlite'
import { openOwnDatabase } from './own-database.ts'

const MIGRATIONS: readonly string[] = [
  `create table alerts (
     id text primary key, key text not null, rule text not null, cluster text, ref text,
     fired_at text not null, resolved_at text, body text not null
   ) strict, without rowid;
   create index alerts_fired on alerts (fired_at, id);
   create index alerts_open on alerts (id) where resolved_at is null;
   create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;
   create table silences (id text primary key, over_at text not null, body text not null) strict, without rowid;
   create table deliveries (
     number integer primary key, id text not null, channel text not null, alert_id text, at text not null,
     state text not null, body text not null, message text, unique (channel, id)
   ) strict;
   create index deliveries_waiting on deliveries (number) where state = 'waiting';
   create index deliveries_at on deliveries (at);
   create index deliveries_alert on deliveries (alert_id, number);`,
]

export const ALERT_VERSION = MIGRATIONS.length

/** Throws when the file cannot be used. */
export function openAlertDatabase(file: string): DatabaseSync {
  return openOwnDatabase(file, MIGRATIONS)
}
