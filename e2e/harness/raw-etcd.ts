import { closeStream, connect, type Etcd3, leaseHex } from '../../examples/workers/etcd-client.ts'

export { connect, type Etcd3, leaseHex }

/** Grants a lease that nobody renews; the id is decimal, as etcd's API gives it. */
export async function grantLease(client: Etcd3, ttlSeconds: number): Promise<string> {
  const { ID } = await client.leaseClient.leaseGrant({ TTL: ttlSeconds })
  return ID
}

export async function revokeLease(client: Etcd3, lease: string): Promise<void> {
  await client.leaseClient.leaseRevoke({ ID: lease })
}

/** Renews once and answers the TTL that the server gave, in seconds; 0 when the lease is gone. */
export async function renewLease(client: Etcd3, lease: string): Promise<number> {
  const stream = await client.leaseClient.leaseKeepAlive()
  try {
    return await new Promise<number>((resolve, reject) => {
      stream.on('data', ({ TTL }) => resolve(Number(TTL)))
      stream.on('error', reject)
      stream.write({ ID: lease })
    })
  } finally {
    closeStream(stream)
  }
}

/** Renews again and again until stopped; a failed renewal is simply one that did not happen. */
export function keepAlive(client: Etcd3, lease: string, everyMs: number): { stop(): void } {
  const timer = setInterval(() => void renewLease(client, lease).catch(() => {}), everyMs)
  return { stop: () => clearInterval(timer) }
}

export interface PutCandidate {
  /** Without the slash before the lease: `/elections/a/job`. */
  prefix: string | Buffer
  value: string | Buffer
  /** Decimal; without it the key has no lease and its last segment is `segment`. */
  lease?: string
  /** Other last segment than the lease in hex, for look-alikes and keys without a lease. */
  segment?: string
}

export interface PutResult {
  key: Buffer
  /** The revision of this put; the create revision when the key is new. */
  revision: string
}

const bytes = (text: string | Buffer) => (typeof text === 'string' ? Buffer.from(text) : text)

/** Puts a key as a candidate would: `<prefix>/<lease hex>`. A second put of the same key is a proclaim. */
export async function putCandidate(client: Etcd3, candidate: PutCandidate): Promise<PutResult> {
  const segment = candidate.segment ?? (candidate.lease === undefined ? 'no-lease' : leaseHex(candidate.lease))
  const key = Buffer.concat([bytes(candidate.prefix), Buffer.from(`/${segment}`)])
  const { header } = await client.kv.put({ key, value: bytes(candidate.value), lease: candidate.lease ?? '0' })
  return { key, revision: header.revision }
}

export async function deleteKey(client: Etcd3, key: Buffer): Promise<string> {
  const { header } = await client.kv.deleteRange({ key })
  return header.revision
}

/** A candidate with a lease of its own, in one call. */
export async function enterCandidate(
  client: Etcd3,
  candidate: { prefix: string | Buffer; value: string | Buffer; ttlSeconds?: number },
): Promise<PutResult & { lease: string }> {
  const lease = await grantLease(client, candidate.ttlSeconds ?? 30)
  return { lease, ...(await putCandidate(client, { ...candidate, lease })) }
}
