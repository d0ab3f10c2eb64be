/** etcd3's messages as the domain's types: int64 stay strings, lease ids become hex, 0 becomes null. */
import type { IKeyValue, IResponseHeader, IWatchResponse } from 'etcd3'
import { leaseFromDecimal, revision } from '../election/ids.ts'
import type { Header, KeyValue, WatchEvent, WatchSignal } from '../election/ports.ts'

export function headerOf(header: IResponseHeader): Header {
  return {
    clusterId: header.cluster_id,
    memberId: header.member_id,
    revision: revision(header.revision),
    raftTerm: header.raft_term,
  }
}

export function keyValueOf(kv: IKeyValue): KeyValue {
  return {
    key: kv.key,
    value: kv.value,
    lease: leaseFromDecimal(kv.lease),
    createRevision: revision(kv.create_revision),
    modRevision: revision(kv.mod_revision),
  }
}

/** etcd takes 0 as "choose an id", so range 0 is watched as 1. */
export const FIRST_WATCH_ID = 1
/** The id of an answer that is about no watch: to a ping, and also the refusal to create one. */
const NO_WATCH = '-1'

export const rangeOf = (response: IWatchResponse): number => Number(response.watch_id) - FIRST_WATCH_ID

/** One response of a watch stream, other than of a creation, on which range `n` was created with id `n + FIRST_WATCH_ID`. */
export function signalOf(response: IWatchResponse): WatchSignal {
  if (response.watch_id === NO_WATCH && !response.canceled)
    return { type: 'alive', revision: revision(response.header.revision) }
  const range = rangeOf(response)
  if (response.canceled) {
    const compacted = response.compact_revision
    return {
      type: 'canceled',
      range,
      compactRevision: compacted && compacted !== '0' ? revision(compacted) : null,
      reason: response.cancel_reason ?? '',
    }
  }
  return { type: 'events', range, header: headerOf(response.header), events: response.events.map(eventOf) }
}

function eventOf(event: IWatchResponse['events'][number]): WatchEvent {
  if (event.type === 'Put') return { type: 'put', kv: keyValueOf(event.kv) }
  return {
    type: 'delete',
    key: event.kv.key,
    revision: revision(event.kv.mod_revision),
    was: event.prev_kv ? keyValueOf(event.prev_kv) : null,
  }
}
