import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { loadConfig } from './load-config.ts'
import { clusterSchema, configSchema } from './schema.ts'

const EXAMPLE = join(import.meta.dirname, '..', '..', 'tenure.example.yaml')
const text = readFileSync(EXAMPLE, 'utf8')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenure-example-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Names of settings, those of nested objects included. */
function namesOf(schema: z.ZodType): string[] {
  const shape = (schema as { shape?: Record<string, z.ZodType> }).shape
  if (shape !== undefined) return Object.entries(shape).flatMap(([name, inner]) => [name, ...namesOf(inner)])
  type Def = { innerType?: z.ZodType; element?: z.ZodType; options?: z.ZodType[] }
  const { innerType, element, options = [] } = (schema as unknown as { def: Def }).def
  return [innerType, element, ...options].flatMap((inner) => (inner ? namesOf(inner) : []))
}

describe('tenure.example.yaml', () => {
  test('is valid as it is', () => {
    copyFileSync(EXAMPLE, join(folder, 'tenure.yaml'))
    const config = loadConfig({}, folder)
    expect(config.clusters.map(({ name }) => name)).toEqual(['prod-eu', 'staging'])
    expect(config).toMatchObject({ publicUrl: 'https://tenure.example.org', trustedProxies: ['127.0.0.1'] })
  })

  test('is valid with the settings that it only mentions', () => {
    const files = ['etcd-ca.pem', 'client.pem', 'client-key.pem', 'etcd-password']
    for (const name of files) writeFileSync(join(folder, name), 'x')
    const shown = text.replace(/^ {4}# ( *(?:tls|ca|cert|key|user|name|passwordFile):.*)$/gm, '    $1')
    writeFileSync(join(folder, 'tenure.yaml'), shown.replaceAll('/etc/tenure/', `${folder}/`))
    const [cluster] = loadConfig({}, folder).clusters
    expect(cluster?.tls).toEqual({
      ca: join(folder, 'etcd-ca.pem'),
      cert: join(folder, 'client.pem'),
      key: join(folder, 'client-key.pem'),
    })
    expect(cluster?.user).toEqual({ name: 'tenure', passwordFile: join(folder, 'etcd-password') })
  })

  test('is valid with the channels for alerts that it only mentions', () => {
    const named = [...text.matchAll(/File: \/etc\/tenure\/(\S+)/g)].map(([, name]) => String(name))
    for (const name of named) writeFileSync(join(folder, name), 'x')
    const shown = text.replace(/^ {2}channels: \[\]\n((?: {2}#.*\n)+)/m, (_, lines: string) =>
      lines.replace(/^ {2}# (channels:| {2})/gm, '  $1'),
    )
    writeFileSync(join(folder, 'tenure.yaml'), shown.replaceAll('/etc/tenure/', `${folder}/`))
    const { channels } = loadConfig({}, folder).alerts
    expect(channels.map(({ type }) => type)).toEqual(['alertmanager', 'webhook', 'slack', 'pagerduty', 'email'])
    expect(channels[0]).toMatchObject({ everyMs: 60_000, severities: ['critical', 'warning'] })
  })

  test('shows the defaults where it does not have to show an example', () => {
    copyFileSync(EXAMPLE, join(folder, 'tenure.yaml'))
    const { clusters, publicUrl: _, trustedProxies: __, ...settings } = loadConfig({}, folder)
    const { clusters: ___, trustedProxies: ____, ...defaults } = configSchema.parse({ clusters })
    expect(settings).toEqual(defaults)
  })

  test('has every setting there is', () => {
    const names = [...namesOf(configSchema), ...namesOf(clusterSchema)]
    expect(names.length).toBeGreaterThan(20)
    for (const name of names) expect(text).toMatch(new RegExp(`^[ #-]*${name}:`, 'm'))
  })

  test('names every variable there is', () => {
    const source = readFileSync(join(import.meta.dirname, 'environment.ts'), 'utf8')
    const variables = [...source.matchAll(/^ {2}([A-Z_]+): \{ path:/gm)].map(([, name]) => String(name))
    expect(variables).toContain('TENURE_READ_ONLY')
    for (const variable of [...variables, 'TENURE_CONFIG']) expect(text).toMatch(new RegExp(`\\b${variable}\\b`))
  })
})
