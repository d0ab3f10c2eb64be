import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificate {
  certFile: string
  keyFile: string
}

export interface Authority extends Certificate {
  /** A certificate for 127.0.0.1, signed by this authority; `days` may be negative: it has expired then. */
  issue(name: string, options?: { days?: number }): Certificate
}

const openssl = (args: readonly string[]) => execFileSync('openssl', args, { stdio: 'pipe' })

/** A throw-away certificate authority in `dir`, made by openssl. */
export function makeAuthority(dir: string, name = 'ca'): Authority {
  const own = { certFile: join(dir, `${name}.crt`), keyFile: join(dir, `${name}.key`) }
  const subject = ['-subj', `/CN=tenure test ${name}`]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(['req', '-x509', ...key, '-days', '30', ...subject, '-keyout', own.keyFile, '-out', own.certFile])
  return {
    ...own,
    issue: (leaf, { days = 30 } = {}) => {
      const made = { certFile: join(dir, `${leaf}.crt`), keyFile: join(dir, `${leaf}.key`) }
      const request = join(dir, `${leaf}.csr`)
      const extensions = join(dir, `${leaf}.ext`)
      writeFileSync(extensions, 'subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n')
      openssl(['req', ...key, '-subj', `/CN=${leaf}`, '-keyout', made.keyFile, '-out', request])
      const signed = ['x509', '-req', '-in', request, '-CA', own.certFile, '-CAkey', own.keyFile, '-CAcreateserial']
      openssl([...signed, '-days', String(days), '-extfile', extensions, '-out', made.certFile])
      return made
    },
  }
}
