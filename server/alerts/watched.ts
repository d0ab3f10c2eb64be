/** Clusters as the engine looks at them. */
import { resolve } from 'node:path'
import { msOf } from '../../lib/shared/clock.ts'
import type { ClusterConfig } from '../config/schema.ts'
import type { HistoryListener } from '../history/tap.ts'
import type { ClusterWatcher } from '../watch/cluster-watcher.ts'
import { CertificateWatch } from './certificates.ts'
import type { Watched } from './engine.ts'
import { RenewalWindow } from './renewal-window.ts'
import type { Certificate } from './rules/finding.ts'

/** What an alert needs besides what the watcher has: renewals as they are reported, and certificates. */
export class Surroundings {
  private readonly renewals: ReadonlyMap<string, RenewalWindow>
  private readonly certificates: ReadonlyMap<string, CertificateWatch>

  constructor(clusters: readonly ClusterConfig[], root: string) {
    this.renewals = new Map(clusters.map(({ name }) => [name, new RenewalWindow()]))
    this.certificates = new Map(clusters.map((cluster) => [cluster.name, certificatesOf(cluster, root)]))
  }

  readonly listener: HistoryListener = {
    onSample: ({ cluster, source, ref }, at, value) => {
      if (source === 'holder' && ref !== undefined) this.renewals.get(cluster)?.add(ref, msOf(at), value)
    },
  }

  watched(watcher: ClusterWatcher): Watched {
    const { view } = watcher.elections
    const { name } = view.info
    return {
      name,
      view,
      alarms: () => watcher.members.activeAlarms(),
      certificates: () => this.certificates.get(name)?.current() ?? { known: [], isWhole: true },
      renewals: this.renewals.get(name) ?? new RenewalWindow(),
    }
  }

  certificatesOf(cluster: string): readonly Certificate[] {
    return this.certificates.get(cluster)?.current().known ?? []
  }

  start(): void {
    for (const watch of this.certificates.values()) watch.start()
  }

  stop(): void {
    for (const watch of this.certificates.values()) watch.stop()
  }
}

function certificatesOf({ endpoints, tls }: ClusterConfig, root: string): CertificateWatch {
  const files = [
    { what: 'certificate authority', file: tls?.ca },
    { what: 'client certificate', file: tls?.cert },
  ].flatMap(({ what, file }) => (file === undefined ? [] : [{ what, file: resolve(root, file) }]))
  return new CertificateWatch({ endpoints: endpoints.filter((url) => url.startsWith('https:')), files })
}
