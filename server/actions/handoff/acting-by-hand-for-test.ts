/** Actions over a client that a test can meddle with, beside a watcher with a client of its own. */

import type { CallOptions, Txn, TxnAnswer } from '../../../lib/election/ports.ts'
import type { ElectionRef, LeaseId } from '../../../lib/election/types.ts'
import { EtcdClient } from '../../../lib/etcd/client.ts'
import { steadyClock } from '../../../lib/shared/clock.ts'
import type { Audit } from '../../history/audit.ts'
import { openSqliteAudit } from '../../history/sqlite-audit.ts'
import { startWatching, type Watching } from '../../watch/watch-for-test.ts'
import { Actions } from '../actions.ts'
import { Endings } from '../endings.ts'
import type { Reach } from '../reach.ts'

/** A client that lets a test act right before a write is sent, and right after it was. */
export class MeddledEtcd extends EtcdClient {
  before: () => Promise<void> | void = () => {}
  sent: () => Promise<void> | void = () => {}
  writes = 0

  override revoke(lease: LeaseId, options: CallOptions): Promise<void> {
    return this.meddle(() => super.revoke(lease, options))
  }

  override txn(txn: Txn, options: CallOptions): Promise<TxnAnswer> {
    if (txn.success.every(({ type }) => type === 'range')) return super.txn(txn, options)
    return this.meddle(() => super.txn(txn, options))
  }

  private async meddle<T>(write: () => Promise<T>): Promise<T> {
    await this.before()
    this.writes += 1
    const answer = write()
    answer.catch(() => {})
    await this.sent()
    return answer
  }
}

export interface ByHand {
  actions: Actions
  audit: Audit
  etcd: MeddledEtcd
  watching: Watching
  stop(): Promise<void>
}

export async function actByHand(options: {
  /** Of what acts; the watcher has `watched`. */
  endpoints: readonly string[]
  watched: readonly string[]
  watch: readonly string[]
  auditFile: string
}): Promise<ByHand> {
  const clock = steadyClock()
  const endings = new Endings()
  const watching = startWatching({
    endpoints: options.watched,
    watch: options.watch,
    whyEnded: (ref, token, signal) => endings.whyEnded(ref, token, signal),
  })
  await watching.live()
  const etcd = new MeddledEtcd({ endpoints: options.endpoints })
  const audit = openSqliteAudit({ file: options.auditFile, clock })
  const { view } = watching.watcher.elections
  const reach: Reach = {
    name: 'test',
    etcd,
    metaPrefix: '/tenure/',
    readOnly: 'no',
    view,
    endings,
    confirm: (_ref: ElectionRef) => {},
    acknowledgeRollback: () => {},
    onChange: () => () => {},
    switchDeleted: () => {},
    switchMissing: () => {},
    handingOff: () => {},
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const actions = new Actions({
    reaches: new Map([['test', reach]]),
    audit,
    clock,
    log,
    secondPerson: false,
    mayStill: () => true,
  })
  return {
    actions,
    audit,
    etcd,
    watching,
    stop: async () => {
      actions.stop()
      await watching.stop()
      etcd.close()
      audit.close()
    },
  }
}
