/** etcd3's errors, which tell by class and text, as the closed kinds that the domain acts upon. */
import { EtcdError, type EtcdErrorKind } from '../election/ports.ts'

const BY_TEXT: readonly [RegExp, EtcdErrorKind][] = [
  [/required revision has been compacted/i, 'compacted'],
  [/required revision is a future revision/i, 'future-revision'],
  [/etcdserver: no leader|leader changed|not leader/i, 'no-quorum'],
  [/permission denied/i, 'denied'],
  [/authentication failed|invalid auth token|user name is empty|revision of auth store is old/i, 'auth'],
  [/database space exceeded/i, 'no-space'],
  [/larger than max|RESOURCE_EXHAUSTED|request is too large/i, 'too-large'],
  [/request timed out|DEADLINE_EXCEEDED|deadline/i, 'deadline'],
  [
    /UNAVAILABLE|ECONNREFUSED|ECONNRESET|No connection established|client was already closed|Channel closed/i,
    'unavailable',
  ],
]

const BY_NAME: Readonly<Record<string, EtcdErrorKind>> = {
  GRPCDeadlineExceededError: 'deadline',
  GRPCUnavailableError: 'unavailable',
  GRPCCancelledError: 'unavailable',
  EtcdPermissionDeniedError: 'denied',
  EtcdAuthenticationFailedError: 'auth',
  EtcdInvalidAuthTokenError: 'auth',
  GRPCUnauthenticatedError: 'auth',
  GRPCResourceExhastedError: 'too-large',
}

export function kindOfError(error: Error): EtcdErrorKind {
  for (const [text, kind] of BY_TEXT) if (text.test(error.message)) return kind
  return BY_NAME[error.constructor.name] ?? 'other'
}

export function translate(error: unknown, endpoint: string): EtcdError {
  if (error instanceof EtcdError) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  return new EtcdError(kindOfError(cause), plainMessage(cause.message), endpoint, { cause })
}

/** gRPC's words without its bookkeeping: status numbers, load balancer timings, resolution notes. */
export function plainMessage(message: string): string {
  if (/Channel closed before call started/.test(message)) return 'the connection was closed'
  const refused = /Last error: (.+?)(?: \(\d{4}-|\. Resolution note|$)/.exec(message)?.[1]
  if (refused) return refused.replace(/:?error:[0-9A-F]+:/, ' ').trim()
  const late = /Deadline exceeded after ([\d.]+)s/.exec(message)?.[1]
  if (late) return `no answer within ${Number(late).toFixed(1)} s`
  return message.replace(/^\d+ [A-Z_]+: /, '').trim()
}

/** Another endpoint may do better. */
export function isEndpointTrouble(kind: EtcdErrorKind): boolean {
  return kind === 'unavailable' || kind === 'deadline' || kind === 'no-quorum'
}

export function isDenied(error: unknown): boolean {
  return error instanceof Error && kindOfError(error) === 'denied'
}
