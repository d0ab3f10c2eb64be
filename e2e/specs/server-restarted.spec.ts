import { startDashboard } from '../harness/dashboard.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/restart/job'

test.use({ clusters: { test: ['/elections/restart/'] } })

test('when Tenure itself is restarted, open pages come back by themselves', async ({
  dashboard,
  etcd,
  actors,
  election,
  shell,
}) => {
  const first = await actors.enter({ prefix, value: 'worker-a', ttlSeconds: 60 })
  await actors.enter({ prefix, value: 'worker-b', ttlSeconds: 60 })
  await election.open(prefix)
  await expect(election.leaderName).toHaveText('worker-a')
  await shell.waitLive()
  await shell.mark()

  await dashboard.kill()
  await expect(shell.connection).toHaveText('Reconnecting', { timeout: 5_000 })
  await expect(shell.banner(/^This page lost Tenure at \d\d:\d\d:\d\d UTC/)).toBeVisible()
  await expect(election.sentence).toContainText('was led by worker-a')
  await first.resign()

  const again = await startDashboard({
    endpoints: etcd.endpoints,
    watch: ['/elections/restart/'],
    port: dashboard.port,
    dataDir: dashboard.dataDir,
  })
  try {
    await expect(shell.connection).toHaveText('Live', { timeout: 15_000 })
    await expect(election.leaderName).toHaveText('worker-b')
    await expect(shell.banner('This page lost Tenure')).toBeHidden()
    // History outlived the restart; what happened meanwhile was not seen.
    await expect(election.terms).toHaveCount(2)
    await expect(election.term(1)).toContainText('worker-a')
    await expect(election.term(1)).toContainText('unobserved')
    await expect(election.lanes).toHaveAccessibleName(/ [1-9]\d* unobserved stretch/)
    await shell.expectNotReloaded()
  } finally {
    await again.stop()
  }
})
