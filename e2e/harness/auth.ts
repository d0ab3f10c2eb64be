import type { EtcdCluster } from './etcd.ts'

export interface Role {
  user: string
  password: string
  /** Prefixes it may read. */
  read: readonly string[]
  /** Prefixes it may read and write. */
  write?: readonly string[]
}

export const rootPassword = 'root-secret'
export const asRoot = [`--user=root:${rootPassword}`]

async function run(etcd: EtcdCluster, args: readonly string[]): Promise<void> {
  const { code, stderr } = await etcd.etcdctl(args)
  if (code !== 0) throw new Error(`etcdctl ${args.join(' ')}: ${stderr}`)
}

/** Turns password auth on, with a root user and one user a role. */
export async function enableAuth(etcd: EtcdCluster, roles: readonly Role[]): Promise<void> {
  await run(etcd, ['user', 'add', `root:${rootPassword}`])
  await run(etcd, ['user', 'grant-role', 'root', 'root'])
  for (const { user, password, read, write = [] } of roles) {
    await run(etcd, ['role', 'add', `${user}-role`])
    for (const prefix of read)
      await run(etcd, ['role', 'grant-permission', `${user}-role`, '--prefix=true', 'read', prefix])
    for (const prefix of write)
      await run(etcd, ['role', 'grant-permission', `${user}-role`, '--prefix=true', 'readwrite', prefix])
    await run(etcd, ['user', 'add', `${user}:${password}`])
    await run(etcd, ['user', 'grant-role', user, `${user}-role`])
  }
  await run(etcd, ['auth', 'enable'])
}
