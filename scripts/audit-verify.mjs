import { bootstrap } from './setup/bootstrap.mjs'

await bootstrap(async () => {
  const { auditVerify } = await import('./audit-verify.ts')
  auditVerify(process.argv.slice(2))
})
