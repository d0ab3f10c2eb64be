import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import type { Runtime } from '../runtime-slot.ts'
import { liveStream } from './live-stream.ts'
import { appRouter } from './router.ts'

/** Answers one request to the API. */
export async function answer(request: Request, runtime: Runtime): Promise<Response> {
  const stream = await liveStream(request, runtime)
  if (stream !== null) return stream
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: () => ({ runtime }),
  })
}
