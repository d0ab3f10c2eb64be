import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { soak } = await import('./soak.ts')
  await soak(process.argv.slice(2))
})
