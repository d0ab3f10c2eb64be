/** `npm run bench -- alerts`: rules over many elections, a scrape, and how soon somebody is told. See docs/performance.md. */
import { measureLoss } from './alerts/loss.ts'
import { measureMetrics } from './alerts/metrics.ts'
import { measurePass } from './alerts/pass.ts'
import type { Row } from './support/row.ts'

export async function* bench(): AsyncGenerator<Row> {
  yield* measurePass()
  yield* await measureMetrics()
  yield* measureLoss()
}
