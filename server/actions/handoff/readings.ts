/** Reads an election anew whenever something in it may have changed. What is told is always a linearizable read. */
import { parseRef } from '../../../lib/election/ids.ts'
import { EtcdError, type KeySpan } from '../../../lib/election/ports.ts'
import type { ElectionRef, Revision } from '../../../lib/election/types.ts'
import { sleep } from '../../../lib/shared/abort.ts'
import { fromLatin1 } from '../../../lib/shared/bytes.ts'
import type { Clock } from '../../../lib/shared/clock.ts'
import { nextDecimal } from '../../../lib/shared/decimal.ts'
import type { Reach } from '../reach.ts'
import { type ElectionNow, readElection, spanOf } from '../read-election.ts'

const LEAST_BETWEEN_MS = 50
/** Notices may be lost: it is looked at anyway. */
const MOST_BETWEEN_MS = 500

export interface Where {
  reach: Reach
  ref: ElectionRef
  clock: Clock
  signal: AbortSignal
}

/** The first answer of `look` that is not null; null when there was none until `untilMs` (monotonic) or the end. */
export async function lookUntil<T>(
  where: Where,
  untilMs: number,
  look: (now: ElectionNow) => T | null,
): Promise<T | null> {
  const { reach, ref, clock, signal } = where
  const changes = new Changes(where)
  try {
    while (!signal.aborted) {
      const startedMs = clock.monoMs()
      const now = await readElection(reach, ref, signal).catch(silent)
      const found = now === null ? null : look(now)
      if (found !== null) return found
      if (clock.monoMs() >= untilMs) return null
      if (now !== null) changes.listen(nextDecimal(now.header.revision) as Revision)
      await changes.next(Math.max(0, Math.min(MOST_BETWEEN_MS, untilMs - clock.monoMs())))
      await sleep(Math.max(0, startedMs + LEAST_BETWEEN_MS - clock.monoMs()), signal)
    }
    return null
  } finally {
    changes.stop()
  }
}

function silent(error: unknown): null {
  if (error instanceof EtcdError) return null
  throw error
}

class Changes {
  private readonly where: Where
  private stops: (() => void)[] = []
  private ring = () => {}
  private changed = false

  constructor(where: Where) {
    this.where = where
  }

  /** Does nothing while it listens already. */
  listen(from: Revision): void {
    if (this.stops.length > 0) return
    const { etcd, metaPrefix } = this.where.reach
    const { layout, prefixLatin1 } = parseRef(this.where.ref)
    const spans = [spanOf(layout, prefixLatin1), spanOf('queue', `${metaPrefix}presence/${prefixLatin1}/`)]
    this.stops = spans.map((span) =>
      etcd.notice(asSpan(span), from, (notice) => {
        this.changed = true
        if (notice === 'lost') this.stop()
        this.ring()
      }),
    )
  }

  /** Resolves at the next change, or after `ms`. */
  async next(ms: number): Promise<void> {
    if (!this.changed) {
      const rung = new Promise<void>((resolve) => {
        this.ring = resolve
      })
      await Promise.race([rung, sleep(ms, this.where.signal)])
    }
    this.changed = false
  }

  stop(): void {
    for (const stop of this.stops.splice(0)) stop()
  }
}

function asSpan({ key, end }: { key: Uint8Array; end?: Uint8Array }): KeySpan {
  return { key, end: end ?? fromLatin1(`${String.fromCharCode(...key)}\0`) }
}
