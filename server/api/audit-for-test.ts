/** The audit log as a signed-in viewer asks for it, by requests: for tests of this folder. */
import { systemClock } from '../../lib/shared/clock.ts'
import { type TestAuth, testAuth } from '../auth/auth-for-test.ts'
import { configSchema } from '../config/schema.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import type { Runtime } from '../runtime-slot.ts'
import { actionsOn } from './actions-for-test.ts'
import { answer } from './answer.ts'
import { answerExport } from './audit-export.ts'

const clusters = [{ name: 'eu', endpoints: ['http://127.0.0.1:2379'], watch: ['/e/'] }]

export class AuditScene {
  readonly audit = new FakeAudit()
  /** Of the viewer. */
  readonly headers: Headers
  private at: TestAuth
  private settings: Record<string, unknown> = {}

  private constructor(at: TestAuth, headers: Headers) {
    this.at = at
    this.headers = headers
  }

  static async open(): Promise<AuditScene> {
    const at = await testAuth()
    await at.add('vi', 'viewer')
    return new AuditScene(at, await at.signedIn('vi'))
  }

  close(): void {
    this.at.close()
  }

  async letAnybodyLook(): Promise<void> {
    this.settings = { anonymousViewing: true }
    this.at = await this.at.reopen(this.settings)
  }

  get runtime(): Runtime {
    const { at, audit, settings } = this
    const config = configSchema.parse({ clusters, ...settings })
    const parts = { auth: at.auth, audit, actions: actionsOn(audit), watchers: new Map(), clock: systemClock, config }
    return parts as unknown as Runtime
  }

  async ask(path: string, input: object = {}, headers = this.headers) {
    const url = `http://localhost/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`
    const response = await answer(new Request(url, { headers }), this.runtime)
    const { result, error } = JSON.parse(await response.text())
    return { status: response.status, data: result?.data, error: error?.message as string | undefined }
  }

  async download(query: string, from = this.headers) {
    const request = new Request(`http://localhost/api/audit/export?${query}`, { headers: from })
    const { status, headers, ...response } = await readWhole(await answerExport(request, this.runtime))
    return { status, type: headers.get('content-type'), disposition: headers.get('content-disposition'), ...response }
  }
}

async function readWhole(response: Response) {
  return { status: response.status, headers: response.headers, text: await response.text() }
}
