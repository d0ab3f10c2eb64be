import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Authority, makeAuthority } from '../../../e2e/harness/certificates.ts'
import { makeTempFolder, type TempFolder } from '../../../e2e/harness/temp-folder.ts'
import { post } from './http.ts'

let folder: TempFolder
let authority: Authority
const servers: Server[] = []
beforeAll(() => {
  folder = makeTempFolder('https')
  authority = makeAuthority(folder.path)
})
afterAll(() => {
  for (const server of servers) server.close()
  folder.remove()
})

async function serve(name: string, days: number): Promise<string> {
  const { certFile, keyFile } = authority.issue(name, { days })
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (_, response) => {
    response.end('ok')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const send = (url: string) => post({ url, body: '{}' }, new AbortController().signal)

test('nothing is sent to a server whose certificate nobody vouches for, or that has expired', async () => {
  const url = await serve('sink', 30)
  const expired = await serve('expired', -1)
  await expect(send(url)).rejects.toThrow(/cannot be reached: (UNABLE_TO_VERIFY|SELF_SIGNED)/)
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, readFileSync(authority.certFile, 'utf8')])
  try {
    await send(url)
    await expect(send(expired)).rejects.toThrow('cannot be reached: CERT_HAS_EXPIRED')
  } finally {
    setDefaultCACertificates(before)
  }
})
