/** What is under way and what was done lately: pages follow it here, and a replay finds its first outcome. */
import type { Operation, Phase } from '../../lib/election/actions.ts'
import type { ElectionRef } from '../../lib/election/types.ts'

const MOST = 500

const seatOf = (cluster: string, ref: string) => `${cluster} ${ref}`

interface Entered {
  left: Promise<void>
  /** The election it is about. */
  seat?: string
}

export type Change = Partial<Pick<Operation, 'phases' | 'outcome' | 'warnings' | 'handoff'>>

export type HandingOffListener = (cluster: string, refs: readonly ElectionRef[]) => void

export class Operations {
  private readonly byId = new Map<string, Operation>()
  /** Asked for and not begun yet. */
  private readonly entered = new Map<string, Entered>()
  private readonly onHandingOff: HandingOffListener

  /** `onHandingOff` hears which elections of a cluster are being handed off, whenever that may have changed. */
  constructor(onHandingOff: HandingOffListener = () => {}) {
    this.onHandingOff = onHandingOff
  }

  /** Before anything is read for it; the same id waits on it. Call what it returns when it has begun or was refused. */
  enter(id: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.entered.set(id, { left: promise })
    return () => {
      this.entered.delete(id)
      resolve()
    }
  }

  /** Resolves when what entered under this id has begun or was refused; undefined when nothing has. */
  entering(id: string): Promise<void> | undefined {
    return this.entered.get(id)?.left
  }

  /** From here on nothing else begins on this election. Synchronous with the check that nothing does. */
  occupy(id: string, cluster: string, ref: string): void {
    const own = this.entered.get(id)
    if (own !== undefined) own.seat = seatOf(cluster, ref)
  }

  get(id: string): Operation | null {
    return this.byId.get(id) ?? null
  }

  begin(operation: Operation): void {
    if (this.byId.size >= MOST) {
      const settled = [...this.byId.values()].filter(({ outcome }) => outcome !== null && outcome.is !== 'unknown')
      // What is still to be warned of stays longest.
      const oldest = settled.find(({ warnings }) => warnings.length === 0) ?? settled[0]
      if (oldest !== undefined) this.byId.delete(oldest.id)
    }
    this.byId.set(operation.id, operation)
    this.tellHandingOff(operation)
  }

  update(id: string, change: Change): void {
    const known = this.byId.get(id)
    if (known === undefined) return
    this.byId.set(id, { ...known, ...change })
    if (change.outcome !== undefined) this.tellHandingOff(known)
  }

  /** A phase that was reached, or another word for how it is known. */
  phase(id: string, phase: Phase): void {
    const known = this.byId.get(id)
    if (known === undefined) return
    const at = known.phases.findIndex(({ name }) => name === phase.name)
    this.update(id, { phases: at < 0 ? [...known.phases, phase] : known.phases.with(at, phase) })
  }

  warn(id: string, warning: string): void {
    const known = this.byId.get(id)
    if (known !== undefined && !known.warnings.includes(warning))
      this.update(id, { warnings: [...known.warnings, warning] })
  }

  /** Whether something on this election has no final outcome yet. */
  isInFlight(cluster: string, ref: string): boolean {
    const seat = seatOf(cluster, ref)
    if ([...this.entered.values()].some((each) => each.seat === seat)) return true
    return this.open(cluster).some((operation) => operation.ref === ref)
  }

  /** Newest first: of one election, those that are known. */
  of(cluster: string, ref: string): Operation[] {
    return [...this.byId.values()].filter((each) => each.cluster === cluster && each.ref === ref).reverse()
  }

  private tellHandingOff({ verb, cluster }: Operation): void {
    if (verb !== 'handoff') return
    const refs = this.open(cluster).flatMap((each) => (each.verb === 'handoff' && each.ref ? [each.ref] : []))
    this.onHandingOff(cluster, refs as ElectionRef[])
  }

  private open(cluster: string): Operation[] {
    return [...this.byId.values()].filter(
      (each) => each.cluster === cluster && (each.outcome === null || each.outcome.is === 'unknown'),
    )
  }
}
