import { rmSync } from 'node:fs'
import type { EtcdCluster } from './etcd.ts'

/** Stops the only member, puts the snapshot in its place and starts it again on the same address. */
export async function restoreSnapshot(etcd: EtcdCluster, snapshot: string): Promise<void> {
  const [member] = etcd.members
  if (member === undefined) throw new Error('no member')
  await member.stop()
  rmSync(member.dataDir, { recursive: true })
  const token = `tenure-${new URL(member.endpoint).port}`
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
  await member.start()
}
