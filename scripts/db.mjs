import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { db } = await import('./db.ts')
  await db(process.argv.slice(2))
})
