import { initTRPC, TRPCError } from '@trpc/server'
import type { ZodError } from 'zod'
import { parseRef } from '../../lib/election/ids.ts'
import type { EtcdError } from '../../lib/election/ports.ts'
import type { ElectionRef, ElectionState } from '../../lib/election/types.ts'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import { repeated } from '../actions/raw-request.ts'
import { type Refused, refusalOf, unstoredRefusalOf } from '../actions/refused.ts'
import type { AlertError } from '../alerts/alert-error.ts'
import type { PeopleError } from '../auth/people.ts'
import type { AuditUnavailable } from '../history/audit.ts'
import type { HistoryUnavailable, InvalidCursor } from '../history/history.ts'
import type { ClusterWatcher } from '../watch/cluster-watcher.ts'
import { allow, asTrpcRefusal } from './allow.ts'
import type { Context } from './context.ts'

const t = initTRPC.context<Context>().create({
  isServer: true,
  // A heartbeat comes every second: 5 s without a word is a dead connection, as after a laptop's sleep.
  sse: { ping: { enabled: true, intervalMs: 3_000 }, client: { reconnectAfterInactivityMs: 5_000 } },
  errorFormatter: ({ shape, error }) => {
    const { code, httpStatus, path } = shape.data
    const refusal = refusalOf(error.cause)
    return { ...shape, data: { code, httpStatus, path, ...(refusal ? { refusal } : {}) } }
  },
})

export const router = t.router

/**
 * Told by name, not by class: Next compiles the routes apart from the server that constructs the
 * history and the clients, so that each side has classes of its own.
 */
function isNamed<T extends Error>(error: unknown, name: T['name']): error is T {
  return error instanceof Error && error.name === name
}

const ALERT_CODES = { unknown: 'NOT_FOUND', over: 'CONFLICT', 'bad-input': 'BAD_REQUEST' } as const

/** What went wrong below, as the code a caller can act on. */
export function asTrpcError(error: unknown): TRPCError | null {
  if (isNamed<Refused>(error, 'Refused')) return asTrpcRefusal(error)
  if (isNamed<HistoryUnavailable>(error, 'HistoryUnavailable')) {
    return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: error.message, cause: error })
  }
  if (isNamed<AuditUnavailable>(error, 'AuditUnavailable')) {
    const message = `the audit log cannot be used: ${error.message}`
    return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message, cause: error })
  }
  if (isNamed<InvalidCursor>(error, 'InvalidCursor')) {
    const message = `${error.message}: leave cursor out to begin with the newest`
    return new TRPCError({ code: 'BAD_REQUEST', message, cause: error })
  }
  if (isNamed<EtcdError>(error, 'EtcdError')) {
    const code = error.kind === 'denied' || error.kind === 'auth' ? 'FORBIDDEN' : 'SERVICE_UNAVAILABLE'
    return new TRPCError({ code, message: `etcd at ${error.endpoint}: ${error.message}`, cause: error })
  }
  if (isNamed<PeopleError>(error, 'PeopleError')) {
    const code = error.code === 'unknown' ? 'NOT_FOUND' : 'CONFLICT'
    return new TRPCError({ code, message: error.message, cause: error })
  }
  if (isNamed<AlertError>(error, 'AlertError')) {
    return new TRPCError({ code: ALERT_CODES[error.code], message: error.message, cause: error })
  }
  if (isNamed<ZodError>(error, 'ZodError')) {
    return new TRPCError({ code: 'BAD_REQUEST', message: inputProblems(error), cause: error })
  }
  return null
}

/** One sentence for each field that is wrong, instead of zod's JSON. */
function inputProblems({ issues }: ZodError): string {
  return issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ')
}

/** What the audit log must still be told of an action that ended so; null: nothing. */
export function refusedBy({ cause }: TRPCError): { code: string; why: string } | null {
  if (isNamed<ZodError>(cause, 'ZodError')) return { code: 'bad-input', why: repeated(inputProblems(cause)) }
  return unstoredRefusalOf(cause) ?? null
}

/** For anybody who reaches the port: only what the sign-in page must know. */
export const open = t.procedure.use(async ({ ctx, next }) => {
  for (const watcher of ctx.runtime.watchers.values()) watcher.refresh()
  const result = await next()
  if (result.ok) return result
  const mapped = asTrpcError(result.error.cause)
  return mapped === null ? result : { ...result, error: mapped }
})

/** For whoever may look at elections. */
export const procedure = open.use(({ ctx, next }) => {
  allow(ctx, 'see')
  return next()
})

export function serverTime({ runtime }: Pick<Context, 'runtime'>): Instant {
  return instant(runtime.clock.nowMs())
}

export function watcherOf({ runtime }: Pick<Context, 'runtime'>, cluster: string): ClusterWatcher {
  const watcher = runtime.watchers.get(cluster)
  if (watcher !== undefined) return watcher
  const names = [...runtime.watchers.keys()].join(', ')
  throw new TRPCError({
    code: 'NOT_FOUND',
    message: `no cluster "${repeated(cluster)}" is configured: there is ${names}`,
  })
}

export function electionOf(
  context: Pick<Context, 'runtime'>,
  cluster: string,
  ref: string,
): { watcher: ClusterWatcher; state: ElectionState } {
  const watcher = watcherOf(context, cluster)
  try {
    parseRef(ref)
  } catch (error) {
    throw new TRPCError({ code: 'BAD_REQUEST', message: error instanceof Error ? error.message : String(error) })
  }
  const state = watcher.elections.view.elections.get(ref as ElectionRef)
  if (state !== undefined) return { watcher, state }
  throw new TRPCError({
    code: 'NOT_FOUND',
    message: `no election ${repeated(ref)} in cluster "${repeated(cluster)}": elections.list names those there are`,
  })
}
