import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const debian = '/usr/bin/chromium'
/** As `npm run verify` found it, Debian's, or else (undefined) Playwright's own. */
const executablePath = process.env.TENURE_TEST_CHROMIUM || (existsSync(debian) ? debian : undefined)

/** Journeys against the production build (`npm run build` first) on a real three-member etcd. */
export default defineConfig({
  testDir: 'e2e/specs',
  // Variants of journeys that `npm run verify` makes once: `npm run test:long` makes them all.
  ...(process.env.TENURE_TEST_LONG === '1' ? {} : { grepInvert: /@long/ }),
  outputDir: 'test-results',
  // Each has three etcd members, a server, candidates and a browser, and mostly waits.
  workers: 2,
  // A test that passes only when repeated is a defect.
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    // Pictures cost more time than the tests themselves.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true, sources: false },
    launchOptions: {
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
})
