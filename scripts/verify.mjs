import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { verify } = await import('./verify/verify.ts')
  await verify(process.argv.slice(2))
})
