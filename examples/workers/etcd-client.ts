import { Etcd3 } from 'etcd3'

const callDeadlineMs = 3_000

/**
 * The npm client for transport only: `client.kv`, `.leaseClient` and `.watchClient` are the raw calls.
 * It sets no deadline by itself, so a call into a dead connection would hang for ever.
 */
export function connect(endpoints: readonly string[]): Etcd3 {
  return new Etcd3({
    hosts: [...endpoints],
    defaultCallOptions: (call) => (call.isStream ? {} : { deadline: Date.now() + callDeadlineMs }),
    grpcOptions: { 'grpc.keepalive_time_ms': 10_000, 'grpc.keepalive_timeout_ms': 5_000 },
  })
}

export type { Etcd3 }

/** Lease ids travel as decimal strings and stand in keys as lower-case hex without padding, as Go writes `%x`. */
export const leaseHex = (lease: string): string => BigInt(lease).toString(16)

/** The first key that is not below the prefix any more: the `range_end` of "everything under it". */
export function prefixEnd(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix)
  for (let index = end.length - 1; index >= 0; index -= 1) {
    const byte = end[index] ?? 0xff
    if (byte < 0xff) {
      end[index] = byte + 1
      return end.subarray(0, index + 1)
    }
  }
  return Buffer.from([0])
}

/**
 * Ends a watch or keep-alive stream. Cancelling alone would, up to 10 s later, end all other streams of
 * this client to the same member: etcd3 takes the error of a stream that is still writable for a failed
 * host and closes its channels.
 */
export function closeStream(stream: { end(): void; cancel(): void } | undefined): void {
  stream?.end()
  stream?.cancel()
}
