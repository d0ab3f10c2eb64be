import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { bench } = await import('./bench/bench.ts')
  await bench(process.argv.slice(2))
})
