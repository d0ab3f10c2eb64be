import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { start } = await import('./start/start.ts')
  await start(process.argv.slice(2))
})
