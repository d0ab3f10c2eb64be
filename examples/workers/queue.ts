import { closeStream, type Etcd3, leaseHex, prefixEnd } from './etcd-client.ts'

/** A candidate's key as it stands in the queue. */
export interface Place {
  key: Buffer
  /** The prefix of the whole queue, with its closing slash. */
  queue: Buffer
  lease: string
  createRevision: string
}

const slash = Buffer.from('/')

/** Creates the key unless it is there; a retried create finds its own key and takes that place. */
export async function takePlace(client: Etcd3, prefix: Buffer, lease: string, value: Buffer): Promise<Place> {
  const queue = Buffer.concat([prefix, slash])
  const key = Buffer.concat([queue, Buffer.from(leaseHex(lease))])
  const answer = await client.kv.txn({
    compare: [{ key, target: 'Create', result: 'Equal', create_revision: '0' }],
    success: [{ request_put: { key, value, lease } }],
    failure: [{ request_range: { key } }],
  })
  const existing = answer.responses[0]?.response_range?.kvs[0]
  const createRevision = answer.succeeded ? answer.header.revision : existing?.create_revision
  if (createRevision === undefined) throw new Error('the key vanished while it was created')
  return { key, queue, lease, createRevision }
}

/** Gives up the place, only if it is still the one that was taken. */
export async function giveUpPlace(client: Etcd3, { key, createRevision }: Place): Promise<void> {
  await client.kv.txn({
    compare: [{ key, target: 'Create', result: 'Equal', create_revision: createRevision }],
    success: [{ request_delete_range: { key } }],
  })
}

/** Writes the value again. The create revision, and so the place and the token, stay the same. */
export async function proclaim(client: Etcd3, { key, lease, createRevision }: Place, value: Buffer): Promise<void> {
  await client.kv.txn({
    compare: [{ key, target: 'Create', result: 'Equal', create_revision: createRevision }],
    success: [{ request_put: { key, value, lease } }],
  })
}

/** Settles when a key is deleted after the given revision, or when the signal aborts. */
async function deleted(client: Etcd3, key: Buffer, revision: string, signal: AbortSignal): Promise<void> {
  const stream = await client.watchClient.watch()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => resolve()
  signal.addEventListener('abort', stop, { once: true })
  stream.on('data', ({ canceled, events }) => {
    if (canceled) reject(new Error('watch was cancelled'))
    if (events.some((event) => event.type === 'Delete')) resolve()
  })
  stream.on('error', reject)
  stream.on('end', () => reject(new Error('watch ended')))
  stream.write({ create_request: { key, start_revision: (BigInt(revision) + 1n).toString() } })
  try {
    if (!signal.aborted) await promise
  } finally {
    signal.removeEventListener('abort', stop)
    closeStream(stream)
  }
}

/**
 * Waits until nobody in the queue is older, as Go does: watch the next older key only. Then reads the
 * own key once more, because a waiter that lost its lease would otherwise believe it won.
 */
export async function waitForTurn(client: Etcd3, place: Place, signal: AbortSignal): Promise<void> {
  const older = {
    key: place.queue,
    range_end: prefixEnd(place.queue),
    max_create_revision: (BigInt(place.createRevision) - 1n).toString(),
    sort_order: 'Descend',
    sort_target: 'Create',
    limit: 1,
  } as const
  while (!signal.aborted) {
    const { kvs, header } = await client.kv.range(older)
    const predecessor = kvs[0]
    if (predecessor) {
      await deleted(client, predecessor.key, header.revision, signal)
      continue
    }
    const own = (await client.kv.range({ key: place.key })).kvs[0]
    if (own?.create_revision !== place.createRevision) throw new Error('own key is gone')
    return
  }
}

/** Candidates that stand directly under a prefix, not those of elections nested below it. */
export async function countCandidates(client: Etcd3, prefix: string): Promise<number> {
  const queue = Buffer.from(`${prefix}/`)
  const { kvs } = await client.kv.range({ key: queue, range_end: prefixEnd(queue), keys_only: true })
  return kvs.filter(({ key }) => !key.subarray(queue.length).includes(slash)).length
}
