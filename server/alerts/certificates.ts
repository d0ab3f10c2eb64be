/** When the certificates of a cluster end: those in files, and those that its endpoints show. Looked at once an hour. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { instant } from '../../lib/shared/clock.ts'
import type { Certificate } from './rules/finding.ts'

const LOOK_EVERY_MS = 3_600_000
/** What could not be reached is tried sooner. */
const TRY_AGAIN_MS = 60_000
const DEADLINE_MS = 5_000
const BEGIN = '-----BEGIN CERTIFICATE-----'

export interface CertificateOptions {
  /** https endpoints. */
  endpoints: readonly string[]
  /** What each file is, and where it is. */
  files: readonly { what: string; file: string }[]
}

export class CertificateWatch {
  private readonly options: CertificateOptions
  private known: readonly Certificate[] = []
  private isWhole = false
  private timer: NodeJS.Timeout | undefined
  private readonly shown = new Map<string, Certificate>()
  private stopped = false

  constructor(options: CertificateOptions) {
    this.options = options
  }

  start(): void {
    void this.look()
  }

  /** `isWhole`: every file and endpoint has shown its own. */
  current(): { known: readonly Certificate[]; isWhole: boolean } {
    return { known: this.known, isWhole: this.isWhole }
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private async look(): Promise<void> {
    const shown = await Promise.all(this.options.endpoints.map((endpoint) => shownBy(endpoint)))
    for (const certificate of shown) if (certificate !== null) this.shown.set(certificate.what, certificate)
    if (this.stopped) return
    this.known = [...this.options.files.flatMap(({ what, file }) => inFile(what, file)), ...this.shown.values()]
    this.isWhole = this.shown.size === this.options.endpoints.length
    this.timer = setTimeout(() => void this.look(), shown.includes(null) ? TRY_AGAIN_MS : LOOK_EVERY_MS)
    this.timer.unref()
  }
}

/** Of several in one file, the one that ends first. A file that cannot be read is told when the connection fails. */
function inFile(what: string, file: string): Certificate[] {
  try {
    const ends = readFileSync(file, 'utf8')
      .split(BEGIN)
      .slice(1)
      .map((pem) => new X509Certificate(`${BEGIN}${pem}`).validToDate.getTime())
    return ends.length === 0 ? [] : [{ what, expiresAt: instant(Math.min(...ends)) }]
  } catch {
    return []
  }
}

/** Whatever it shows, trusted or not: an expired one is what is looked for. Nothing is sent to it. */
function shownBy(endpoint: string): Promise<Certificate | null> {
  const { hostname, port } = new URL(endpoint)
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    const done = (certificate: Certificate | null) => {
      socket.destroy()
      resolve(certificate)
    }
    socket.setTimeout(DEADLINE_MS, () => done(null))
    socket.once('error', () => done(null))
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      const endMs = Date.parse(validTo ?? '')
      done(Number.isNaN(endMs) ? null : { what: `certificate of ${endpoint}`, expiresAt: instant(endMs) })
    })
  })
}
