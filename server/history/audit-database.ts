/** The audit log's own file: what becomes of the history does not touch it. Rows can be added, and nothing else. */
import type { DatabaseSync } from 'node:sqlite'
import { openOwnDatabase } from './own-database.ts'

const MIGRATIONS: readonly string[] = [
  `create table audit (
    number integer primary key,
    at text not null,
    kind text not null,
    operation text not null,
    verb text not null,
    cluster text,
    ref text,
    body text not null,
    hash text not null
  ) strict;
  create index audit_operation on audit (operation);
  create index audit_election on audit (cluster, ref, number);
  create trigger audit_no_update before update on audit begin select raise(abort, 'the audit log is only added to'); end;
  create trigger audit_no_delete before delete on audit begin select raise(abort, 'the audit log is only added to'); end;`,
  // Every index ends with the row's number, which is the order in which entries are shown.
  `alter table audit add column result text as (
    case kind when 'refusal' then 'refused' when 'done' then 'done'
    when 'outcome' then json_extract(body, '$.outcome.is') end
  ) virtual;
  create index audit_verb on audit (verb);
  create index audit_kind on audit (kind);
  create index audit_result on audit (result);
  create index audit_cluster on audit (cluster);
  create index audit_at on audit (at, kind, verb);
  create trigger audit_in_order before insert on audit
  when new.number <> coalesce((select max(number) from audit), 0) + 1
  begin select raise(abort, 'the audit log is only added to'); end;
  create virtual table audit_text using fts5 (shown, address, content = '', tokenize = 'trigram');
  insert into audit_text (rowid, shown, address) select number, body, '' from audit;`,
]

/** One row: `body` is the JSON of the entry without its hash, the other columns are found in it as well. */
export interface AuditRow {
  number: number
  at: string
  kind: string
  operation: string
  verb: string
  cluster: string | null
  ref: string | null
  body: string
  hash: string
}

/** Throws when the file cannot be used. */
export function openAuditDatabase(file: string): DatabaseSync {
  return openOwnDatabase(file, MIGRATIONS)
}
