import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EtcdCluster, startEtcd } from './etcd.ts'

const isAlive = (pid: number) => existsSync(`/proc/${pid}`)

describe('one member', () => {
  it('answers etcdctl, keeps its data over kill and start, and leaves nothing behind', async () => {
    const etcd = await startEtcd()
    const [member] = etcd.members
    if (!member) throw new Error('no member')
    expect((await etcdctlPut(etcd, 'a', '1')).code).toBe(0)

    const firstPid = member.pid
    await member.kill()
    expect(member.isRunning()).toBe(false)
    expect((await etcd.etcdctl(['--command-timeout=1s', 'get', 'a'])).code).not.toBe(0)
    await member.start()
    expect(member.pid).not.toBe(firstPid)
    expect((await etcd.etcdctl(['get', 'a', '--print-value-only'])).stdout.trim()).toBe('1')

    const lastPid = member.pid
    await etcd.stop()
    expect(isAlive(lastPid)).toBe(false)
    expect(existsSync(dirname(member.dataDir))).toBe(false)
  })
})

describe('three members', () => {
  let etcd: EtcdCluster
  beforeAll(async () => {
    etcd = await startEtcd({ members: 3 })
  })
  afterAll(() => etcd.stop())

  it('goes on without one member and not without two', async () => {
    const leader = await etcd.raftLeader()
    await leader.stop()
    expect((await etcdctlPut(etcd, 'b', '1')).code).toBe(0)

    const next = await etcd.raftLeader()
    expect(next.name).not.toBe(leader.name)
    await next.kill()
    expect((await etcdctlPut(etcd, 'b', '2')).code).not.toBe(0)

    await Promise.all([leader.start(), next.start()])
    expect((await etcdctlPut(etcd, 'b', '3')).code).toBe(0)
  })

  it('freezes and thaws a member', async () => {
    const [member] = etcd.members
    if (!member) throw new Error('no member')
    member.freeze()
    expect(await member.isHealthy()).toBe(false)
    member.thaw()
    await etcd.waitHealthy()
    expect(await member.isHealthy()).toBe(true)
  })
})

function etcdctlPut(etcd: EtcdCluster, key: string, value: string) {
  return etcd.etcdctl(['--command-timeout=3s', 'put', key, value])
}
