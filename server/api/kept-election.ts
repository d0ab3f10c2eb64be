/** An election that is there now, or of which history knows: its past can be asked for. */

import { parseRef } from '../../lib/election/ids.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'
import type { Context } from './context.ts'
import { electionOf, serverTime, watcherOf } from './trpc.ts'

export interface KeptElection {
  ref: ElectionRef
  prefixBase64: string
}

/** Throws as `electionOf` does where there is none and never was. */
export async function keptElection(context: Context, cluster: string, ref: string): Promise<KeptElection> {
  const { view } = watcherOf(context, cluster).elections
  if (!view.elections.has(ref as ElectionRef) && (await wasThere(context, cluster, ref))) {
    return { ref: ref as ElectionRef, prefixBase64: base64FromLatin1(parseRef(ref).prefixLatin1) }
  }
  return electionOf(context, cluster, ref).state
}

async function wasThere(context: Context, cluster: string, ref: string): Promise<boolean> {
  if (!/^[qk]~[A-Za-z0-9_-]*$/.test(ref)) return false
  const known = await context.runtime.history.seeds(cluster, [ref as ElectionRef], serverTime(context))
  return known.has(ref as ElectionRef)
}
