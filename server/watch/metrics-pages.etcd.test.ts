import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { makeAuthority } from '../../e2e/harness/certificates.ts'
import { startEtcd } from '../../e2e/harness/etcd.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { parseLeaseCounts } from './lease-counts.ts'
import { metricsPages } from './metrics-pages.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const { signal } = new AbortController()

test('a page behind mutual TLS is read with the certificates of the cluster, and not without', async () => {
  const folder = makeTempFolder('metrics')
  cleanUps.push(() => folder.remove())
  const authority = makeAuthority(folder.path)
  const etcd = await startEtcd({ tls: { ...authority.issue('etcd'), clientCaFile: authority.certFile } })
  cleanUps.push(() => etcd.stop())
  const client = authority.issue('client')
  const url = `${etcd.endpoints[0]}/metrics`
  const files = { ca: authority.certFile, cert: client.certFile, key: client.keyFile }
  expect(parseLeaseCounts(await metricsPages(files).page(url, signal))).toMatchObject({ isRaftLeader: true, ended: 0 })
  await expect(metricsPages({ ca: authority.certFile }).page(url, signal)).rejects.toThrow()
  await expect(metricsPages(undefined).page(url, signal)).rejects.toThrow(/certificate/)
  await expect(metricsPages({ ca: '/nowhere' }).page(url, signal)).rejects.toThrow(/nowhere/)
}, 60_000)

test('what is no page is an error', async () => {
  const server: Server = createServer((_, response) => response.writeHead(404).end('no such page'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => server.close())
  const { port } = server.address() as AddressInfo
  await expect(metricsPages(undefined).page(`http://127.0.0.1:${port}/metrics`, signal)).rejects.toThrow(/status 404/)
})
