import { createTRPCClient, httpLink } from '@trpc/client'
import type { AppRouter } from '../../server/api/router.ts'

/** Queries of this page. The one subscription runs in `stream.ts`. */
export const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: '/api/trpc' })] })
