/** The keys of one candidate: its own, and those of Tenure that it reads. All text here is latin1. */
import { leaseSegment } from '../election/ids.ts'
import type { KeySpan } from '../election/ports.ts'
import type { LeaseId } from '../election/types.ts'
import { fromLatin1 } from '../shared/bytes.ts'
import type { Settings } from './options.ts'

/** The keys that begin with `prefix`. */
export function spanOf(prefix: string): KeySpan {
  const end = fromLatin1(prefix)
  let last = end.length - 1
  while (last >= 0 && end[last] === 0xff) last -= 1
  if (last < 0) return { key: fromLatin1(prefix), end: Uint8Array.of(0) }
  end[last] = (end[last] ?? 0) + 1
  return { key: fromLatin1(prefix), end: end.slice(0, last + 1) }
}

/** One key as a span. */
export function spanOfKey(key: Uint8Array): KeySpan {
  return { key, end: Uint8Array.of(...key, 0) }
}

export class Keys {
  private readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** As Go's concurrency package names it by its lease; a single key is the election itself. */
  own(lease: LeaseId): Uint8Array {
    const { layout, prefix } = this.settings
    return fromLatin1(layout === 'queue' ? prefix + leaseSegment(lease) : prefix)
  }

  /** Everything that competes for the seat. */
  get seats(): KeySpan {
    const { layout, prefix } = this.settings
    return layout === 'queue' ? spanOf(prefix) : spanOfKey(fromLatin1(prefix))
  }

  get meta(): KeySpan {
    return spanOf(this.settings.metaPrefix)
  }

  get switches(): KeySpan {
    return spanOf(this.switchPrefix)
  }

  get switchPrefix(): string {
    return `${this.settings.metaPrefix}switch/`
  }

  get epoch(): Uint8Array {
    return fromLatin1(`${this.settings.metaPrefix}epoch`)
  }

  get handoff(): Uint8Array {
    return fromLatin1(`${this.settings.metaPrefix}handoff/${this.settings.prefix}`)
  }

  presence(lease: LeaseId): Uint8Array {
    return fromLatin1(`${this.settings.metaPrefix}presence/${this.settings.prefix}/${leaseSegment(lease)}`)
  }
}
