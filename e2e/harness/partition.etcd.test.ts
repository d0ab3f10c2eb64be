import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { startPartableEtcd } from './partition.ts'
import { layPeerNetwork, whyNoPartition, withPartition } from './peer-network.ts'

const parting = test.skipIf(whyNoPartition() !== null)
const namespaces = () => execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })

parting(
  withPartition('a member that is cut off answers its clients with the past, and comes back'),
  async () => {
    const etcd = await startPartableEtcd()
    try {
      const put = (key: string, endpoints = etcd.endpoints) =>
        etcd.etcdctl(['--command-timeout=3s', 'put', key, '1'], { endpoints })
      const serializable = async (key: string, endpoint: string) =>
        (await etcd.etcdctl(['get', key, '--consistency=s', '--print-value-only'], { endpoints: [endpoint] })).stdout
      expect((await put('before')).code).toBe(0)
      const cut = await etcd.raftLeader()
      const others = etcd.members.filter((member) => member !== cut).map(({ endpoint }) => endpoint)

      etcd.cutOff(cut)
      await expect.poll(async () => (await put('during', others)).code, { timeout: 15_000 }).toBe(0)
      expect(await serializable('before', cut.endpoint)).toBe('1\n')
      expect(await serializable('during', cut.endpoint)).toBe('')
      expect((await put('alone', [cut.endpoint])).code).not.toBe(0)

      etcd.heal()
      await expect.poll(() => serializable('during', cut.endpoint), { timeout: 15_000 }).toBe('1\n')
      expect((await put('after', [cut.endpoint])).code).toBe(0)
    } finally {
      await etcd.stop()
    }
    expect(namespaces()).not.toContain(`tenure-${process.pid}-`)
  },
  60_000,
)

parting(withPartition('the namespaces of a process that was killed go with the next network'), () => {
  const gone = spawnSync('true')
  const stray = `tenure-${gone.pid}-9-m1`
  execFileSync('ip', ['netns', 'add', stray])
  const network = layPeerNetwork(1)
  try {
    expect(namespaces()).not.toContain(stray)
    expect(namespaces()).toContain(network.places[0]?.namespace)
  } finally {
    network.remove()
  }
  expect(namespaces()).not.toContain(network.places[0]?.namespace)
})
