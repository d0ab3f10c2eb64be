/** Terms that Tenure itself ends or is ending: the watcher asks here before it guesses from leases. */
import type { ElectionRef, EndedBy, Revision } from '../../lib/election/types.ts'
import { sleep } from '../../lib/shared/abort.ts'

/** How long a term's cause waits for an action whose outcome is open: a guess would stay beside what is found out. */
const WAIT_MS = 30_000
const MOST = 1_000

interface Meant {
  endedBy: EndedBy
  /** undefined: its outcome is open. */
  done: Promise<boolean>
}

export class Endings {
  private readonly meant = new Map<string, Meant>()

  /** Before an action that would end this term. Call what it returns with whether it did. */
  mean(ref: ElectionRef, token: Revision, endedBy: EndedBy): (did: boolean) => void {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const oldest = this.meant.size >= MOST ? this.meant.keys().next().value : undefined
    if (oldest !== undefined) this.meant.delete(oldest)
    const key = `${ref} ${token}`
    this.meant.set(key, { endedBy, done: promise })
    return (did) => {
      if (!did) this.meant.delete(key)
      resolve(did)
    }
  }

  /** null: not by Tenure, as far as is known. */
  async whyEnded(ref: ElectionRef, token: Revision, signal: AbortSignal): Promise<EndedBy | null> {
    const found = this.meant.get(`${ref} ${token}`)
    if (found === undefined) return null
    const did = await Promise.race([found.done, sleep(WAIT_MS, signal).then(() => false)])
    return did ? found.endedBy : null
  }
}
