import { clusters } from './clusters.ts'
import { elections } from './elections.ts'
import { live } from './live.ts'
import { router } from './trpc.ts'

export const appRouter = router({ clusters, elections, live })

export type AppRouter = typeof appRouter
