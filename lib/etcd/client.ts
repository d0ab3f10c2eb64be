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
  type RangeAnswer,
  type RangeRequest,
  type WatchRange,
  type WatchStream,
} from '../election/ports.ts'
import type { LeaseId, Revision } from '../election/types.ts'
import { type CredentialFiles, Credentials } from './credentials.ts'
import { Endpoints } from './endpoints.ts'
import { openKeepAlive } from './keep-alive-stream.ts'
import { readableSpans } from './permissions.ts'
import { openWatch } from './watch-stream.ts'
import { headerOf, keyValueOf } from './wire.ts'

export class EtcdClient implements Etcd {
  private readonly credentials: Credentials
  private readonly hosts: Endpoints

  constructor(options: { endpoints: readonly string[]; credentials?: CredentialFiles }) {
    this.credentials = new Credentials(options.credentials)
    this.hosts = new Endpoints(options.endpoints, this.credentials)
  }

  get endpoints(): readonly string[] {
    return this.hosts.all
  }

  async range(request: RangeRequest, options: CallOptions): Promise<RangeAnswer> {
    const { answer, endpoint } = await this.hosts.call(
      (client, deadline) =>
        client.kv.range(
          {
            key: Buffer.from(request.key),
            ...(request.end ? { range_end: Buffer.from(request.end) } : {}),
            ...(request.limit ? { limit: request.limit } : {}),
            ...(request.at ? { revision: request.at } : {}),
          },
          { deadline },
        ),
      options,
    )
    return { header: headerOf(answer.header), kvs: answer.kvs.map(keyValueOf), more: answer.more, endpoint }
  }

  async readable(options: CallOptions): Promise<readonly KeySpan[] | null | undefined> {
    const user = this.credentials.userName
    if (user === undefined) return undefined
    const { answer } = await this.hosts.call((client, deadline) => readableSpans(client, user, deadline), options)
    return answer
  }

  async putIfUnchanged(key: Uint8Array, value: Uint8Array, expected: Revision, options: CallOptions): Promise<boolean> {
    const bytes = Buffer.from(key)
    const { answer } = await this.hosts.call(
      (client, deadline) =>
        client.kv.txn(
          {
            compare: [{ key: bytes, target: 'Mod', result: 'Equal', mod_revision: expected }],
            success: [{ request_put: { key: bytes, value: Buffer.from(value) } }],
            failure: [],
          },
          { deadline },
        ),
      options,
    )
    return answer.succeeded
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

  async openKeepAlive(endpoint: string, signal: AbortSignal): Promise<KeepAliveStream> {
    const client = this.hosts.fresh(endpoint)
    try {
      return await openKeepAlive(client, endpoint, signal)
    } catch (error) {
      client.close()
      throw this.hosts.explain(error, endpoint)
    }
  }

  async open(ranges: readonly WatchRange[], options: { signal: AbortSignal }): Promise<WatchStream> {
    const endpoint = this.hosts.current()
    const client = this.hosts.fresh(endpoint)
    try {
      return await openWatch(client, endpoint, ranges, options.signal)
    } catch (error) {
      client.close()
      this.hosts.avoid(endpoint)
      throw this.hosts.explain(error, endpoint)
    }
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
    return answer.alarms.map(({ memberID, alarm }) => ({ memberId: memberID, type: alarm }))
  }

  close(): void {
    this.hosts.close()
  }
}
