import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { appRouter } from '../../../../server/api/router.ts'
import { getRuntime } from '../../../../server/runtime-slot.ts'

export const dynamic = 'force-dynamic'

const handler = (request: Request) =>
  fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => ({ runtime: getRuntime() }),
  })

export { handler as GET, handler as POST }
