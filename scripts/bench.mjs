import { bootstrap } from './setup/bootstrap.mjs'
import { tellStepsOnStderr } from './setup/step.mjs'

// With --json, standard output is for the rows alone.
tellStepsOnStderr()
await bootstrap(async () => {
  const { bench } = await import('./bench.ts')
  await bench(process.argv.slice(2))
})
