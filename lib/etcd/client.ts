/** The ports of `lib/election` over etcd3's raw clients: transport only. */
import { leaseFromDecimal, leaseToDecimal } from '../election/ids.ts'
import {
  type Alarm,
  type CallOptions,
  type Etcd,
  EtcdError,
  type KeepAliveStream,
  type KeySpan,
  type LeaseAnswer,
  type MemberInfo,
  type MemberStatus,
  type Notice,
  type RangeAnswer,
  type RangeRequest,
  type Txn,
  type TxnAnswer,
  type WatchRange,
  type WatchStream,
} from '../election/ports.ts'
import type { LeaseId, Revision } from '../election/types.ts'
import { type CredentialFiles, Credentials } from './credentials.ts'
import { Endpoints } from './endpoints.ts'
import { openKeepAlive } from './keep-alive-stream.ts'
import { SharedNotices } from './notices.ts'
import { permittedSpans } from './permissions.ts'
import { SharedRenewals } from './shared-renewals.ts'
import { rangeRequestOf, txnAnswerOf, txnRequestOf } from './txn.ts'
import { openWatch } from './watch-stream.ts'
import { headerOf, keyValueOf } from './wire.ts'

export class EtcdClient implements Etcd {
  private readonly credentials: Credentials
  private readonly hosts: Endpoints
  private readonly renewals: SharedRenewals
  private readonly notices: SharedNotices

  constructor(options: { endpoints: readonly string[]; credentials?: CredentialFiles }) {
    this.credentials = new Credentials(options.credentials)
    this.hosts = new Endpoints(options.endpoints, this.credentials)
    this.renewals = new SharedRenewals(this.hosts)
    this.notices = new SharedNotices(this.hosts)
  }

  get endpoints(): readonly string[] {
    return this.hosts.all
  }

  async range(request: RangeRequest, options: CallOptions): Promise<RangeAnswer> {
    const { answer, endpoint } = await this.hosts.call(
      (client, deadline) => client.kv.range(rangeRequestOf(request), { deadline }),
      options,
    )
    return { header: headerOf(answer.header), kvs: answer.kvs.map(keyValueOf), more: answer.more, endpoint }
  }

  async txn(txn: Txn, options: CallOptions): Promise<TxnAnswer> {
    const request = txnRequestOf(txn)
    const { answer } = await this.hosts.call((client, deadline) => client.kv.txn(request, { deadline }), options)
    return txnAnswerOf(answer)
  }

  readable(options: CallOptions): Promise<readonly KeySpan[] | null | undefined> {
    return this.permitted('read', options)
  }

  writable(options: CallOptions): Promise<readonly KeySpan[] | null | undefined> {
    return this.permitted('write', options)
  }

  private async permitted(right: 'read' | 'write', options: CallOptions) {
    const user = this.credentials.userName
    if (user === undefined) return undefined
    const asked = { user, right }
    const { answer } = await this.hosts.call((client, deadline) => permittedSpans(client, asked, deadline), options)
    return answer
  }

  async putIfUnchanged(key: Uint8Array, value: Uint8Array, expected: Revision, options: CallOptions): Promise<boolean> {
    const compare: Txn['compare'] = [{ key, field: 'mod', is: 'equal', to: expected }]
    return (await this.txn({ compare, success: [{ type: 'put', key, value, lease: null }] }, options)).succeeded
  }

  async timeToLive(lease: LeaseId, options: CallOptions & { keys?: boolean }): Promise<LeaseAnswer> {
    const { answer } = await this.hosts.call(
      (client, deadline) =>
        client.leaseClient.leaseTimeToLive(
          { ID: leaseToDecimal(lease), ...(options.keys ? { keys: true } : {}) },
          { deadline },
        ),
      options,
    )
    // TTL alone does not tell: an expired lease that is not yet revoked answers below zero as well.
    const gone = answer.grantedTTL === '0'
    return {
      header: headerOf(answer.header),
      lease: gone
        ? null
        : {
            grantedMs: Number(answer.grantedTTL) * 1000,
            remainingMs: Math.max(0, Number(answer.TTL)) * 1000,
            keys: answer.keys ?? [],
          },
    }
  }

  async grant(ttlSeconds: number, options: CallOptions): Promise<{ lease: LeaseId; grantedMs: number }> {
    const { answer, endpoint } = await this.hosts.call(
      (client, deadline) => client.leaseClient.leaseGrant({ TTL: ttlSeconds }, { deadline }),
      options,
    )
    const lease = leaseFromDecimal(answer.ID)
    if (lease === null) throw new EtcdError('other', answer.error || 'etcd granted no lease', endpoint)
    return { lease, grantedMs: Number(answer.TTL) * 1000 }
  }

  async revoke(lease: LeaseId, options: CallOptions): Promise<void> {
    await this.hosts.call(
      (client, deadline) => client.leaseClient.leaseRevoke({ ID: leaseToDecimal(lease) }, { deadline }),
      options,
    )
  }

  renew(lease: LeaseId, options: CallOptions): Promise<number> {
    return this.renewals.renew(lease, options)
  }

  openKeepAlive(endpoint: string, signal: AbortSignal): Promise<KeepAliveStream> {
    return this.hosts.openOwn(endpoint, (client) => openKeepAlive(client, endpoint, signal))
  }

  async open(ranges: readonly WatchRange[], options: { signal: AbortSignal }): Promise<WatchStream> {
    const endpoint = this.hosts.current()
    try {
      return await this.hosts.openOwn(endpoint, (client) => openWatch(client, endpoint, ranges, options.signal))
    } catch (error) {
      this.hosts.avoid(endpoint)
      throw error
    }
  }

  notice(span: KeySpan, from: Revision, listener: (notice: Notice) => void): () => void {
    return this.notices.notice(span, from, listener)
  }

  avoid(endpoint: string): void {
    this.hosts.avoid(endpoint)
  }

  async members(options: CallOptions): Promise<{ clusterId: string; members: readonly MemberInfo[] }> {
    const { answer } = await this.hosts.call((client, deadline) => client.cluster.memberList({}, { deadline }), options)
    return {
      clusterId: answer.header.cluster_id,
      members: answer.members.map(({ ID, name, clientURLs, isLearner }) => ({
        id: ID,
        name,
        clientUrls: clientURLs,
        isLearner,
      })),
    }
  }

  async status(endpoint: string, options: CallOptions): Promise<MemberStatus> {
    const { answer } = await this.hosts.call((client, deadline) => client.maintenance.status({ deadline }), {
      ...options,
      endpoint,
    })
    return {
      header: headerOf(answer.header),
      version: answer.version,
      dbSize: Number(answer.dbSize),
      dbSizeInUse: Number(answer.dbSizeInUse ?? 0),
      raftLeaderId: answer.leader,
      raftIndex: answer.raftIndex,
    }
  }

  async alarms(options: CallOptions): Promise<readonly Alarm[]> {
    const { answer } = await this.hosts.call(
      (client, deadline) => client.maintenance.alarm({ action: 'Get' }, { deadline }),
      options,
    )
    return answer.alarms.map(({ memberID, alarm }) => ({ memberId: memberID, type: alarm.toUpperCase() }))
  }

  close(): void {
    this.notices.close()
    this.renewals.close()
    this.hosts.close()
  }
}
