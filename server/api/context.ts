/** Who asks, for every procedure and for the stream. */
import type { Actor } from '../auth/person.ts'
import type { Runtime } from '../runtime-slot.ts'

export interface Context {
  runtime: Runtime
  /** null: nobody who may look. `bad-token`: a token was sent that is none (any more). */
  actor: Actor | 'bad-token' | null
}

export async function contextOf(request: Request, runtime: Runtime): Promise<Context> {
  return { runtime, actor: await runtime.auth.whoIs(request.headers) }
}
