import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { Runtime } from '../runtime-slot.ts'
import { contextOf } from './context.ts'
import { liveStream } from './live-stream.ts'
import { appRouter } from './router.ts'

/** Answers one request to the API. */
export async function answer(request: Request, runtime: Runtime): Promise<Response> {
  const context = await contextOf(request, runtime)
  const stream = await liveStream(request, context)
  if (stream !== null) return stream
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => context,
  })
}
