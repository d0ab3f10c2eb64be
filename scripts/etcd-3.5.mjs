import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { testOnEtcd35 } = await import('./etcd-3.5.ts')
  await testOnEtcd35(process.argv.slice(2))
})
