import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { expect, test } from 'vitest'
import { makeAuthority } from '../../e2e/harness/certificates.ts'
import { freePort } from '../../e2e/harness/ports.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { CLUSTER } from '../../lib/election/claims-for-test.ts'
import { instant } from '../../lib/shared/clock.ts'
import { CertificateWatch } from './certificates.ts'
import { clusterFindings } from './rules/index.ts'
import { SHIPPED } from './thresholds.ts'

const DAY_MS = 24 * 3_600_000

test('certificates in files and those that endpoints show are known, and what is not reached is not taken for well', async () => {
  const folder = makeTempFolder('certificates')
  const authority = makeAuthority(folder.path)
  const soon = authority.issue('soon', { days: 10 })
  const server = createServer({ cert: readFileSync(soon.certFile), key: readFileSync(soon.keyFile) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const shown = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const away = `https://127.0.0.1:${await freePort()}`
  const files = [
    { what: 'certificate authority', file: authority.certFile },
    { what: 'client certificate', file: join(folder.path, 'nowhere.crt') },
  ]
  const watch = new CertificateWatch({ endpoints: [shown, away], files })
  const whole = new CertificateWatch({ endpoints: [shown], files: files.slice(0, 1) })
  try {
    expect(watch.current()).toEqual({ known: [], isWhole: false })
    watch.start()
    whole.start()
    const names = () => watch.current().known.map(({ what }) => what)
    await expect.poll(names, { timeout: 10_000 }).toEqual(['certificate authority', `certificate of ${shown}`])
    expect(watch.current().isWhole).toBe(false)
    await expect.poll(() => whole.current().isWhole, { timeout: 10_000 }).toBe(true)

    const { known } = watch.current()
    const days = known.map(({ expiresAt }) => Math.round((Date.parse(expiresAt) - Date.now()) / DAY_MS))
    expect(days).toEqual([30, 10])
    const now = instant(Date.now())
    const found = clusterFindings({ cluster: CLUSTER, now, thresholds: SHIPPED, alarms: [], certificates: known })
    expect(found.map(({ rule, subject }) => [rule, subject])).toEqual([
      ['certificate-expiring', `certificate of ${shown}`],
    ])
  } finally {
    watch.stop()
    whole.stop()
    server.close()
    folder.remove()
  }
})
