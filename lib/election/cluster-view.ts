/** All elections of one cluster, as changes make them. Held by the server and by every browser tab. */
import { latin1FromBase64 } from '../shared/bytes.ts'
import type { Change, Fact } from './changes.ts'
import { shortName } from './names.ts'
import { openElection, reduceElection } from './reducer.ts'
import type { Cluster, ElectionRef, ElectionState } from './types.ts'

const NONE: readonly Fact[] = []

export class ClusterView {
  info: Cluster
  readonly elections: Map<ElectionRef, ElectionState>
  private readonly names = new Map<ElectionRef, string>()
  private readonly uses = new Map<string, number>()
  private watched: { from: Cluster['watched']; latin1: readonly string[] } | null = null

  constructor(info: Cluster, elections: readonly ElectionState[] = []) {
    this.info = info
    this.elections = new Map(elections.map((state) => [state.ref, state]))
    for (const state of elections) this.giveName(state)
  }

  /** Applies one change and says what it meant. A change to an unknown election does nothing. */
  apply(change: Change): readonly Fact[] {
    if (change.type === 'cluster') {
      this.info = change.info
      return NONE
    }
    if (change.type === 'forgotten') {
      this.forget(change.ref)
      return NONE
    }
    const known = this.elections.get(change.ref)
    if (change.change.type !== 'opened' && known === undefined) return NONE
    const reduced =
      known === undefined && change.change.type === 'opened'
        ? openElection(change.change)
        : known === undefined
          ? undefined
          : reduceElection(known, change.change)
    if (reduced === undefined) return NONE
    this.elections.set(change.ref, reduced.state)
    if (known === undefined) this.giveName(reduced.state)
    return reduced.facts
  }

  /** The name people read: short, or the full prefix where two short names are the same. */
  nameOf(state: ElectionState): string {
    const name = this.names.get(state.ref) ?? state.prefix
    return (this.uses.get(name) ?? 0) > 1 ? state.prefix : name
  }

  private giveName(state: ElectionState): void {
    const name = shortName(state.prefixBase64, this.watchedPrefixes())
    this.names.set(state.ref, name)
    this.uses.set(name, (this.uses.get(name) ?? 0) + 1)
  }

  /** latin1; read anew only when the cluster's information brings another list. */
  private watchedPrefixes(): readonly string[] {
    const { watched } = this.info
    if (this.watched?.from !== watched) {
      this.watched = { from: watched, latin1: watched.map(({ prefixBase64 }) => latin1FromBase64(prefixBase64)) }
    }
    return this.watched.latin1
  }

  private forget(ref: ElectionRef): void {
    this.elections.delete(ref)
    const name = this.names.get(ref)
    if (name === undefined) return
    this.names.delete(ref)
    this.uses.set(name, (this.uses.get(name) ?? 1) - 1)
  }
}
