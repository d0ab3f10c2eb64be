/** A whole server below the API on a real etcd, for tests of this folder: act as somebody, restart it, kill what it says. */
import { join } from 'node:path'
import pino from 'pino'
import { makeTempFolder, type TempFolder } from '../../../e2e/harness/temp-folder.ts'
import type { Operation, SwitchProof } from '../../../lib/election/actions.ts'
import type { Etcd } from '../../../lib/election/ports.ts'
import { base64FromLatin1 } from '../../../lib/shared/bytes.ts'
import { instant, systemClock } from '../../../lib/shared/clock.ts'
import { configSchema } from '../../config/schema.ts'
import type { Audit, AuditEntry, AuditQuery } from '../../history/audit.ts'
import { openSqliteAudit } from '../../history/sqlite-audit.ts'
import { startRuntime } from '../../runtime.ts'
import type { Runtime } from '../../runtime-slot.ts'
import { eventually } from '../../watch/watch-for-test.ts'
import { Actions } from '../actions.ts'
import type { Caller } from '../caller.ts'
import { Endings } from '../endings.ts'
import type { Reach } from '../reach.ts'
import type { EngageSwitch } from './engage-switch.ts'

const person = (name: string, role: Caller['role']): Caller => ({
  role,
  actor: { kind: 'person', name, personId: name.toLowerCase(), address: '127.0.0.1' },
})
export const ANN = person('Ann', 'admin')
export const BEN = person('Ben', 'operator')
export const CID = person('Cid', 'admin')

export interface ActingOptions {
  endpoints: readonly string[]
  watch: readonly string[]
  layouts?: readonly { pattern: string; layout: 'queue' | 'single-key' }[]
  secondPerson?: boolean
  readOnly?: boolean
  user?: { name: string; passwordFile: string }
  /** Of an earlier one, which is not removed. */
  folder?: string
}

let nth = 0
export function newOperation(): string {
  nth += 1
  return `test-${process.pid}-${Date.now()}-${nth}`
}

export function inMs(ms: number): string {
  return instant(Date.now() + ms)
}

export class Acting {
  private readonly options: ActingOptions
  private readonly folder: TempFolder
  runtime: Runtime

  private constructor(options: ActingOptions, runtime: Runtime, folder: TempFolder) {
    this.options = options
    this.runtime = runtime
    this.folder = folder
  }

  static async start(options: ActingOptions): Promise<Acting> {
    const { folder: given } = options
    const folder = given === undefined ? makeTempFolder('acting') : { path: given, remove: () => {} }
    return new Acting(options, await startActing(options, folder.path), folder)
  }

  get path(): string {
    return this.folder.path
  }

  get actions() {
    return this.runtime.actions
  }

  get view() {
    const watcher = this.runtime.watchers.get('test')
    if (watcher === undefined) throw new Error('no watcher')
    return watcher.elections.view
  }

  /** Engages `scope` (latin1) as Ben, with everything that is asked for. */
  engage(scope: string, more: Partial<EngageSwitch> = {}, by: Caller = BEN): Promise<Operation> {
    const match = more.match ?? 'exact'
    return this.actions.engageSwitch(by, {
      cluster: 'test',
      scopeBase64: base64FromLatin1(scope),
      match,
      mode: 'cooperative',
      reason: 'bad data',
      until: inMs(3_600_000),
      typedName: this.typed(scope, match),
      operation: newOperation(),
      ...more,
    })
  }

  proof(scope: string, by: Caller = ANN): Promise<SwitchProof | null> {
    return this.actions.switchProof(by, { cluster: 'test', scopeBase64: base64FromLatin1(scope) })
  }

  async release(scope: string, by: Caller = ANN): Promise<Operation> {
    const scopeBase64 = base64FromLatin1(scope)
    const proof = await this.proof(scope)
    const standing = this.view.info.switches?.find((each) => each.scopeBase64 === scopeBase64)
    return this.actions.releaseSwitch(by, {
      cluster: 'test',
      scopeBase64,
      nonce: proof?.nonce ?? '',
      reason: 'repaired',
      typedName: this.typed(scope, standing?.match ?? 'exact'),
      operation: newOperation(),
    })
  }

  typed(scope: string, match: 'exact' | 'prefix'): string {
    if (scope === '' && match === 'prefix') return 'test'
    const base64 = base64FromLatin1(scope)
    const only = [...this.view.elections.values()].find(({ prefixBase64 }) => prefixBase64 === base64)
    return match === 'exact' && only ? this.view.nameOf(only) : scope
  }

  /** The watcher has come to know `count` elections. */
  async knows(count: number): Promise<void> {
    const known = await eventually(() => this.view.elections.size >= count, 10_000)
    if (!known) throw new Error(`knows ${this.view.elections.size} elections`)
  }

  /** Newest last. */
  audit(query: Partial<AuditQuery> = {}): AuditEntry[] {
    const audit = openSqliteAudit({ file: join(this.folder.path, 'audit.sqlite'), clock: systemClock })
    try {
      return audit.list({ limit: 1_000, ...query }).entries.reverse()
    } finally {
      audit.close()
    }
  }

  async restart(more: Partial<ActingOptions> = {}): Promise<void> {
    await this.runtime.stop()
    this.runtime = await startActing({ ...this.options, ...more }, this.folder.path)
  }

  /** As it stands once it has an outcome that is final. */
  async settled(id: string, withinMs = 20_000): Promise<Operation> {
    const found = await eventually(() => {
      const now = this.actions.operation(id)
      return now?.outcome && now.outcome.is !== 'unknown' ? now : null
    }, withinMs)
    if (found === null) throw new Error(`no outcome: ${JSON.stringify(this.actions.operation(id))}`)
    return found
  }

  async stop(): Promise<void> {
    await this.runtime.stop()
    this.folder.remove()
  }
}

export async function startActing(options: ActingOptions, folder: string): Promise<Runtime> {
  const { endpoints, watch, layouts = [], secondPerson = false, readOnly = false, user } = options
  const cluster = { name: 'test', endpoints, watch, layouts, ...(user ? { user } : {}) }
  const config = configSchema.parse({
    data: folder,
    clusters: [cluster],
    auth: 'loopback-open',
    probe: false,
    readOnly,
    release: { secondPerson },
  })
  const runtime = await startRuntime(config, process.cwd(), pino({ level: 'silent' }))
  const watcher = runtime.watchers.get('test')
  const { view } = watcher?.elections ?? {}
  await eventually(() => view?.info.freshness === 'live' && view.info.switches !== undefined, 20_000)
  return runtime
}

/** Other actions on what this one watches, over a client and an audit log of their own. */
export function actionsOn(acting: Acting, { etcd, audit }: { etcd: Etcd; audit: Audit }): Actions {
  const watcher = acting.runtime.watchers.get('test')
  if (watcher === undefined) throw new Error('no watcher')
  const reach: Reach = {
    name: 'test',
    etcd,
    metaPrefix: '/tenure/',
    readOnly: 'no',
    view: watcher.elections.view,
    endings: new Endings(),
    confirm: () => {},
    acknowledgeRollback: () => {},
    onChange: (listener) => watcher.onChange(listener),
    switchDeleted: () => {},
    switchMissing: () => {},
    handingOff: () => {},
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  return new Actions({
    reaches: new Map([['test', reach]]),
    audit,
    clock: systemClock,
    log,
    secondPerson: false,
    mayStill: () => true,
  })
}
