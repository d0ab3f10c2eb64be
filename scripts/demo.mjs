import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { demo } = await import('./demo/demo.ts')
  await demo(process.argv.slice(2))
})
