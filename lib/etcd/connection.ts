/** etcd3 clients of single endpoints, with its own retries, breakers and host shuffling turned off. */
import grpc from '@grpc/grpc-js'
import { noop } from 'cockatiel'
import { Etcd3, type IOptions } from 'etcd3'
import type { Secrets } from './credentials.ts'

// The server refuses pings closer than 5 s (embed/config.go GRPCKeepAliveMinTime).
const KEEPALIVE = { timeMs: 10_000, timeoutMs: 5_000 }

/** Fails a stream on a member that has lost the quorum; etcd3 never sends it. */
const hasLeader: grpc.Interceptor = (options, nextCall) =>
  new grpc.InterceptingCall(nextCall(options), {
    start: (metadata, listener, next) => {
      const own = metadata.clone()
      own.set('hasleader', 'true')
      next(own, listener)
    },
  })

export const STREAM_OPTIONS: grpc.CallOptions = { interceptors: [hasLeader] }

/** A new client of one endpoint. Streams get one each: closing it is the only sure way to end them. */
export function connect(endpoint: string, secrets: Secrets): Etcd3 {
  const settings: IOptions = {
    hosts: [endpoint],
    faultHandling: { global: noop, host: () => noop, watchBackoff: undefined },
    grpcOptions: {
      'grpc.keepalive_time_ms': KEEPALIVE.timeMs,
      'grpc.keepalive_timeout_ms': KEEPALIVE.timeoutMs,
      'grpc.keepalive_permit_without_calls': 0,
      'grpc.max_receive_message_length': -1,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 2_000,
    },
    ...(secrets.tls
      ? {
          credentials: {
            rootCertificate: secrets.tls.ca,
            ...(secrets.tls.key ? { privateKey: secrets.tls.key } : {}),
            ...(secrets.tls.cert ? { certChain: secrets.tls.cert } : {}),
          },
        }
      : {}),
    ...(secrets.user ? { auth: { username: secrets.user.name, password: secrets.user.password } } : {}),
  }
  return new Etcd3(settings)
}
