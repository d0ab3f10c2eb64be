import { account } from './account.ts'
import { actions } from './actions.ts'
import { alerts } from './alerts.ts'
import { audit } from './audit.ts'
import { clusters } from './clusters.ts'
import { elections } from './elections.ts'
import { failovers } from './failovers.ts'
import { incidents } from './incidents.ts'
import { live } from './live.ts'
import { notes } from './notes.ts'
import { people } from './people.ts'
import { router } from './trpc.ts'

export const appRouter = router({
  account,
  actions,
  alerts,
  audit,
  clusters,
  elections,
  failovers,
  incidents,
  live,
  notes,
  people,
})

export type AppRouter = typeof appRouter
