/** What this browser has told already, in the storage that its tabs share. */
import type { Claims } from './alert-watch.ts'

const KEY = 'tenure-told-alerts'
const MOST = 200

type Store = Pick<Storage, 'getItem' | 'setItem'>
type Locks = Pick<LockManager, 'request'>

function read(store: Store): string[] {
  const kept: unknown = JSON.parse(store.getItem(KEY) ?? '[]')
  return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
}

/** `locks` undefined: the browser has none, and two tabs may both win at the very same moment. */
export function storedClaims(storage: () => Store, locks: Locks | undefined): Claims {
  const own = new Set<string>()
  const take = (ids: readonly string[]) => {
    const mine = ids.filter((id) => !own.has(id))
    for (const id of ids) own.add(id)
    try {
      const store = storage()
      const kept = read(store)
      const won = mine.filter((id) => !kept.includes(id))
      if (won.length > 0) store.setItem(KEY, JSON.stringify([...kept, ...won].slice(-MOST)))
      return won
    } catch {
      // Storage is off or full: then each tab tells for itself.
      return mine
    }
  }
  return {
    claim: async (ids) => (locks === undefined ? take(ids) : await locks.request(KEY, async () => take(ids))),
  }
}
