/** A three-member etcd whose members can be parted from each other, while clients reach all of them. */
import { type EtcdCluster, startEtcd } from './etcd.ts'
import type { EtcdMember } from './etcd-member.ts'
import { layPeerNetwork } from './peer-network.ts'

export interface PartedEtcd extends EtcdCluster {
  /** Cuts one member off from the other two. */
  cutOff(member: EtcdMember): void
  /** Joins all of them again. */
  heal(): void
}

/** Only where `whyNoPartition()` is null. `stop()` takes the network away, too. */
export async function startPartableEtcd(): Promise<PartedEtcd> {
  const network = layPeerNetwork(3)
  try {
    const etcd = await startEtcd({ members: 3, places: network.places })
    return {
      ...etcd,
      cutOff: (member) => network.cut(etcd.members.indexOf(member)),
      heal: () => {
        for (const at of etcd.members.keys()) network.heal(at)
      },
      stop: async () => {
        await etcd.stop()
        network.remove()
      },
    }
  } catch (error) {
    network.remove()
    throw error
  }
}
