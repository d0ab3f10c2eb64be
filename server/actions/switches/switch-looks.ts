/** What pages ask of a switch: a forecast each, and one proof for all who look at the same time. */
import type { SwitchForecast, SwitchProof } from '../../../lib/election/actions.ts'
import type { SwitchMatch } from '../../../lib/election/scopes.ts'
import type { SwitchRecord } from '../../../lib/election/switches.ts'
import type { ElectionRef, Revision } from '../../../lib/election/types.ts'
import { type Caller, isSamePerson } from '../caller.ts'
import { reachOf } from '../find.ts'
import type { ActionParts } from '../parts.ts'
import { switchForecast } from './switch-forecast.ts'
import { type ProofRest, type SharedProof, switchProof } from './switch-proof.ts'
import { type Scope, scopeOf } from './switch-scope.ts'

const SHARED_FOR_MS = 250

export interface SwitchScope {
  cluster: string
  scopeBase64: string
}

export class SwitchLooks {
  private readonly parts: ActionParts
  private readonly proofs = new Map<string, { askedMs: number; proof: Promise<SharedProof | null> }>()

  constructor(parts: ActionParts) {
    this.parts = parts
  }

  /** Rejects with `EtcdError`, or with `Refused` for a cluster that is not there. */
  async forecast({ cluster, scopeBase64, match }: SwitchScope & { match: SwitchMatch }): Promise<SwitchForecast> {
    return switchForecast(scopeOf(reachOf(this.parts, cluster), scopeBase64), match, this.parts.signal)
  }

  async proof(asked: SwitchScope, { actor }: Pick<Caller, 'actor'>): Promise<SwitchProof | null> {
    const shared = await this.shared(asked)
    if (shared === null) return null
    const { releaseAsked: request, ...proof } = shared
    const by = request && {
      name: request.actor.name,
      at: request.at,
      reason: request.reason,
      isYou: isSamePerson(request.actor, actor),
    }
    return { ...proof, releaseAskedBy: by }
  }

  private shared({ cluster, scopeBase64 }: SwitchScope): Promise<SharedProof | null> {
    const scope = scopeOf(reachOf(this.parts, cluster), scopeBase64)
    const now = this.parts.clock.monoMs()
    for (const [name, { askedMs }] of this.proofs) if (now - askedMs >= SHARED_FOR_MS) this.proofs.delete(name)
    const name = `${cluster} ${scope.scopeBase64}`
    const known = this.proofs.get(name)
    if (known !== undefined) return known.proof
    const proof = switchProof(scope, (record, modRevision) => this.rest(scope, record, modRevision), this.parts.signal)
    this.proofs.set(name, { askedMs: now, proof })
    return proof
  }

  /** Somebody acted: what was read before it is old. */
  forget(): void {
    this.proofs.clear()
  }

  private rest({ reach, scopeBase64 }: Scope, { nonce }: SwitchRecord, modRevision: Revision): ProofRest {
    const found = this.parts.releases.find({ cluster: reach.name, scopeBase64, nonce }, this.parts.clock.nowMs())
    // One that was asked for a record as it was before is to be asked for again.
    return {
      releaseAsked: found?.modRevision === modRevision ? found : null,
      warningsOf: (ref) => this.parts.keepers.get(reach.name)?.warningsOf(ref as ElectionRef) ?? [],
    }
  }
}
