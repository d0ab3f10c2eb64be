import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { check } = await import('./verify/verify.ts')
  await check()
})
