/** Who asks, for every procedure and for the stream. */
import { CLIENT_HEADER } from '../auth/client-address.ts'
import type { Actor } from '../auth/person.ts'
import type { Runtime } from '../runtime-slot.ts'

export interface Context {
  runtime: Runtime
  /** null: nobody who may look. `bad-token`: a token was sent that is none (any more). */
  actor: Actor | 'bad-token' | null
  /** Where the request came from. */
  address: string
}

export async function contextOf(request: Request, runtime: Runtime): Promise<Context> {
  const address = request.headers.get(CLIENT_HEADER) ?? ''
  return { runtime, actor: await runtime.auth.whoIs(request.headers), address }
}
