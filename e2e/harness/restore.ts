import { rmSync } from 'node:fs'
import type { EtcdCluster } from './etcd.ts'

/** Stops every member, puts the snapshot in its place and starts them again on the same addresses. */
export async function restoreSnapshot(etcd: EtcdCluster, snapshot: string): Promise<void> {
  const [first] = etcd.members
  if (first === undefined) throw new Error('no member')
  await Promise.all(etcd.members.map((member) => member.stop()))
  const token = `tenure-${new URL(first.endpoint).port}`
  for (const member of etcd.members) {
    rmSync(member.dataDir, { recursive: true })
    const { code, stderr } = await etcd.etcdctl([
      'snapshot',
      'restore',
      snapshot,
      `--name=${member.name}`,
      `--initial-cluster=${etcd.initialCluster}`,
      `--initial-cluster-token=${token}`,
      `--initial-advertise-peer-urls=${member.peerUrl}`,
      `--data-dir=${member.dataDir}`,
    ])
    if (code !== 0) throw new Error(stderr)
  }
  await Promise.all(etcd.members.map((member) => member.start()))
}
