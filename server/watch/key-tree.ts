/** Every key under the watched prefixes, by directory: enough to know what an election's range holds. */
import { directoryOf, identityOf } from '../../lib/election/layouts.ts'
import type { KeyValue } from '../../lib/election/ports.ts'

/** A key without its value: what the value says as an identity, and how large it is, are all that is held. */
export interface KeyRecord extends Omit<KeyValue, 'key' | 'value'> {
  identity: string
  valueBytes: number
}

export function recordOf(kv: KeyValue): KeyRecord {
  return {
    identity: identityOf(kv.value),
    valueBytes: kv.value.length,
    lease: kv.lease,
    createRevision: kv.createRevision,
    modRevision: kv.modRevision,
  }
}

interface Directory {
  keys: Map<string, KeyRecord>
  /** Paths; null where there are none, as in nearly every election. */
  children: Set<string> | null
}

/** Keys are latin1. */
export class KeyTree {
  private readonly directories = new Map<string, Directory>()
  size = 0

  get(key: string): KeyRecord | undefined {
    return this.directories.get(directoryOf(key))?.keys.get(key)
  }

  set(key: string, record: KeyRecord): void {
    const directory = this.ensure(directoryOf(key))
    if (!directory.keys.has(key)) this.size += 1
    directory.keys.set(key, record)
  }

  delete(key: string): void {
    const path = directoryOf(key)
    const directory = this.directories.get(path)
    if (directory?.keys.delete(key)) {
      this.size -= 1
      this.prune(path, directory)
    }
  }

  /** All keys that start with `prefix`, which ends with `/` or is empty. */
  *under(prefix: string): Generator<[string, KeyRecord]> {
    const directory = this.directories.get(prefix)
    if (directory === undefined) return
    yield* directory.keys
    for (const child of directory.children ?? []) yield* this.under(child)
  }

  /** All keys that start with `prefix`, whatever it ends with. */
  *startingWith(prefix: string): Generator<[string, KeyRecord]> {
    for (const [key, record] of this.under(directoryOf(prefix))) if (key.startsWith(prefix)) yield [key, record]
  }

  private ensure(path: string): Directory {
    const known = this.directories.get(path)
    if (known !== undefined) return known
    const directory: Directory = { keys: new Map(), children: null }
    this.directories.set(path, directory)
    if (path !== '') {
      const parent = this.ensure(directoryOf(path.slice(0, -1)))
      parent.children = (parent.children ?? new Set()).add(path)
    }
    return directory
  }

  private prune(path: string, directory: Directory): void {
    if (directory.keys.size > 0 || directory.children !== null) return
    this.directories.delete(path)
    if (path === '') return
    const parent = directoryOf(path.slice(0, -1))
    const above = this.directories.get(parent)
    if (above === undefined) return
    above.children?.delete(path)
    if (above.children?.size === 0) above.children = null
    this.prune(parent, above)
  }
}
