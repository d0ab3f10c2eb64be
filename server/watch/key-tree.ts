/** Every key under the watched prefixes, by directory: enough to know what an election's range holds. */
import { directoryOf, identityOf } from '../../lib/election/layouts.ts'
import type { KeyValue } from '../../lib/election/ports.ts'
import { readHeld } from '../../lib/election/switches.ts'
import type { HeldBy, Layout } from '../../lib/election/types.ts'

/** A key without its value: what the value says as an identity, and how large it is, are all that is held. */
export interface KeyRecord extends Omit<KeyValue, 'key' | 'value'> {
  identity: string
  valueBytes: number
  held?: HeldBy & { layout: Layout | null }
}

export function recordOf(kv: KeyValue): KeyRecord {
  const held = readHeld(kv)
  return {
    identity: held === null ? identityOf(kv.value) : held.identity,
    ...(held === null ? {} : { held: { by: held.by, nonce: held.nonce, layout: held.layout } }),
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
    // A stack of our own: a key may have more segments than calls can be nested.
    const open = [prefix]
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const directory = this.directories.get(path)
      if (directory === undefined) continue
      yield* directory.keys
      for (const child of directory.children ?? []) open.push(child)
    }
  }

  /** All keys that start with `prefix`, whatever it ends with. */
  *startingWith(prefix: string): Generator<[string, KeyRecord]> {
    for (const [key, record] of this.under(directoryOf(prefix))) if (key.startsWith(prefix)) yield [key, record]
  }

  private ensure(path: string): Directory {
    const found = this.directories.get(path)
    if (found !== undefined) return found
    const directory: Directory = { keys: new Map(), children: null }
    this.directories.set(path, directory)
    for (let child = path; child !== ''; ) {
      const parent = directoryOf(child.slice(0, -1))
      const above = this.directories.get(parent)
      if (above !== undefined) {
        above.children = (above.children ?? new Set()).add(child)
        break
      }
      this.directories.set(parent, { keys: new Map(), children: new Set([child]) })
      child = parent
    }
    return directory
  }

  private prune(path: string, directory: Directory): void {
    let empty: Directory | undefined = directory
    for (let at = path; empty !== undefined && empty.keys.size === 0 && empty.children === null; ) {
      this.directories.delete(at)
      if (at === '') return
      const parent = directoryOf(at.slice(0, -1))
      empty = this.directories.get(parent)
      empty?.children?.delete(at)
      if (empty?.children?.size === 0) empty.children = null
      at = parent
    }
  }
}
