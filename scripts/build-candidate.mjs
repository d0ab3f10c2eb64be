import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { buildCandidate } = await import('./candidate-package/build.ts')
  const { step } = await import('./setup/step.mjs')
  await step('candidate', buildCandidate, (folder) => folder)
})
