import type { ActionRefusal } from '../../lib/election/actions.ts'

/** What was asked for was not done, and nothing was written to etcd. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: ActionRefusal
  /** The audit log knows of it. */
  isStored = false

  constructor(refusal: ActionRefusal) {
    super(`${refusal.why} ${refusal.fix}`)
    this.refusal = refusal
  }
}

/** Told by name: Next compiles the routes apart from what they call. */
export function refusalOf(error: unknown): ActionRefusal | undefined {
  return error instanceof Error && error.name === 'Refused' ? (error as Refused).refusal : undefined
}

/** Of one that no verb has stored. */
export function unstoredRefusalOf(error: unknown): ActionRefusal | undefined {
  return refusalOf(error) !== undefined && !(error as Refused).isStored ? refusalOf(error) : undefined
}
