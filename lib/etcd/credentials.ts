/** Certificates, keys and passwords from files that may be replaced while Tenure runs. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { EtcdError } from '../election/ports.ts'

export interface CredentialFiles {
  ca?: string
  cert?: string
  key?: string
  user?: string
  passwordFile?: string
}

export interface Secrets {
  tls?: { ca: Buffer; key?: Buffer; cert?: Buffer }
  user?: { name: string; password: string }
}

const CERTIFICATE = /certificate|handshake|SSL|TLS|ECONNRESET|socket hang up/i

export class Credentials {
  private readonly files: CredentialFiles

  constructor(files: CredentialFiles = {}) {
    this.files = files
  }

  get userName(): string | undefined {
    return this.files.user
  }

  /** Reads the files as they are now. Throws `EtcdError` naming the one that cannot be read. */
  read(): Secrets {
    const { ca, cert, key, user, passwordFile } = this.files
    const secrets: Secrets = {}
    if (ca)
      secrets.tls = {
        ca: this.file(ca),
        ...(cert ? { cert: this.file(cert) } : {}),
        ...(key ? { key: this.file(key) } : {}),
      }
    if (user && passwordFile) secrets.user = { name: user, password: this.file(passwordFile).toString('utf8').trim() }
    return secrets
  }

  /** The same error with what a person must know to mend it: the file, the user and the date. */
  explain(error: EtcdError): EtcdError {
    const { user, passwordFile } = this.files
    const details =
      error.kind === 'auth' && user
        ? [`user "${user}" with the password in ${passwordFile}`]
        : CERTIFICATE.test(error.message)
          ? this.certificates()
          : []
    if (details.length === 0) return error
    return new EtcdError(error.kind, `${error.message} (${details.join('; ')})`, error.endpoint, { cause: error })
  }

  private certificates(): string[] {
    const named = [this.files.ca, this.files.cert].filter((file) => file !== undefined)
    return named.map((file) => {
      try {
        const { validToDate } = new X509Certificate(readFileSync(file))
        const word = validToDate.getTime() < Date.now() ? 'expired' : 'is valid until'
        return `${file} ${word} ${validToDate.toISOString().slice(0, 19)}Z`
      } catch (cause) {
        return `${file} is no certificate: ${(cause as Error).message}`
      }
    })
  }

  private file(path: string): Buffer {
    try {
      return readFileSync(path)
    } catch (cause) {
      throw new EtcdError('auth', `cannot read ${path}: ${(cause as Error).message}`, '', { cause })
    }
  }
}
