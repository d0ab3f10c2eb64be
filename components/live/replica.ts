/** The server's views rebuilt from its frames. One in each tab, and one in the worker that feeds new tabs. */
import type { Change, Frame } from '../../lib/election/changes.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'

export interface Applied {
  /** Elections may have appeared or gone. */
  structure: boolean
  /** Everything may have changed. */
  whole: boolean
  touched: readonly { cluster: string; ref: string }[]
}

const NOTHING: Applied = { structure: false, whole: false, touched: [] }

export class Replica {
  readonly views = new Map<string, ClusterView>()
  lastId = ''
  build = ''

  /** Frames of one boot come in order; a late one never overwrites a newer one: null when it was late. */
  apply(frame: Frame): Applied | null {
    if (!this.isNewer(frame)) return null
    this.lastId = frame.id
    switch (frame.type) {
      case 'snapshot':
        this.build = frame.build
        this.views.clear()
        for (const { info, elections } of frame.clusters) this.views.set(info.name, new ClusterView(info, elections))
        return { structure: true, whole: true, touched: [] }
      case 'heartbeat':
        for (const info of frame.clusters)
          this.views.get(info.name)?.apply({ type: 'cluster', cluster: info.name, info })
        return NOTHING
      case 'change':
        return this.applyChanges(frame.changes)
    }
  }

  /** What a newcomer needs; null before the first snapshot. */
  snapshot(serverTime: string): Frame | null {
    if (this.lastId === '') return null
    const clusters = [...this.views.values()].map((view) => ({
      info: view.info,
      elections: [...view.elections.values()],
    }))
    return { id: this.lastId, type: 'snapshot', serverTime, reason: 'first', build: this.build, clusters }
  }

  private applyChanges(changes: readonly Change[]): Applied {
    let structure = false
    const touched: { cluster: string; ref: string }[] = []
    for (const change of changes) {
      const view = this.views.get(change.cluster)
      if (view === undefined) continue
      const before = view.elections.size
      view.apply(change)
      structure ||= view.elections.size !== before
      if (change.type !== 'cluster') touched.push({ cluster: change.cluster, ref: change.ref })
    }
    return { structure, whole: false, touched }
  }

  private isNewer(frame: Frame): boolean {
    const [boot, sequence] = frame.id.split('-')
    const [lastBoot, lastSequence] = this.lastId.split('-')
    if (boot !== lastBoot) return frame.type === 'snapshot'
    return Number(sequence) > Number(lastSequence) || (frame.type === 'snapshot' && sequence === lastSequence)
  }
}
