import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { faults } = await import('./verify/verify.ts')
  await faults(process.argv.slice(2))
})
