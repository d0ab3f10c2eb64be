import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './load-config.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenure-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (text: string) => writeFileSync(join(folder, 'tenure.yaml'), text)
const environment = { TENURE_ETCD_ENDPOINTS: 'http://127.0.0.1:2379', TENURE_WATCH: '/elections/,/cluster/' }

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env, folder)
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map(({ where, what }) => `${where.replace(folder, '')}: ${what}`)
    throw error
  }
  return []
}

describe('the environment alone', () => {
  test('is enough for one cluster', () => {
    const config = loadConfig({ ...environment, PORT: '3100', TENURE_PROBE: 'off' }, folder)
    expect(config.clusters).toHaveLength(1)
    expect(config.clusters[0]).toMatchObject({ name: 'default', watch: ['/elections/', '/cluster/'], readOnly: false })
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3100, probe: false, metaPrefix: '/tenure/' })
    expect(Object.isFrozen(config.clusters[0]?.watch)).toBe(true)
  })

  test('names the variable and the right form of a bad endpoint', () => {
    expect(problemsOf({ ...environment, TENURE_ETCD_ENDPOINTS: 'localhost:2379' })).toEqual([
      'TENURE_ETCD_ENDPOINTS: clusters[0].endpoints[0]: "localhost:2379" is not an etcd endpoint: write http://host:port or https://host:port',
    ])
  })

  test('says which variable is missing', () => {
    expect(problemsOf({ TENURE_ETCD_ENDPOINTS: 'http://a:1' })).toEqual([
      'TENURE_WATCH: not set: name the prefixes to watch, such as /elections/,/service/',
    ])
    expect(problemsOf({ TENURE_WATCH: '/a/' })[0]).toMatch(/^TENURE_WATCH: set without TENURE_ETCD_ENDPOINTS/)
  })

  test('refuses a misspelled variable, which might be the one that keeps a cluster read-only', () => {
    expect(problemsOf({ ...environment, TENURE_READONLY: 'true' })).toEqual([
      'TENURE_READONLY: no such variable: did you mean TENURE_READ_ONLY?',
    ])
    expect(problemsOf({ TENURE_ETCD_ENDPOINT: 'http://a:1', TENURE_WATCH: '/e/' })[0]).toContain(
      'TENURE_ETCD_ENDPOINTS',
    )
  })

  test('says what a value must be, not what a validator thinks of it', () => {
    const wrong = { ...environment, PORT: 'abc', TENURE_PROBE: 'maybe', TENURE_LOG_LEVEL: 'loud' }
    expect(problemsOf(wrong)).toEqual([
      'PORT: port: must be a whole number',
      'TENURE_PROBE: probe: must be true or false',
      'TENURE_LOG_LEVEL: logLevel: must be one of debug, info, warn, error',
    ])
  })

  test('without anything says how to begin', () => {
    expect(problemsOf({})[0]).toMatch(/set TENURE_ETCD_ENDPOINTS and TENURE_WATCH, or list clusters in tenure.yaml/)
  })
})

test('metrics pages are whole addresses, of http or https', () => {
  const cluster = (metrics: string) =>
    write(`clusters: [{ name: a, endpoints: ["http://a:1"], watch: [/e/], metrics: [${metrics}] }]`)
  cluster('"http://a:1/metrics", "https://b:2/metrics"')
  expect(loadConfig({}, folder).clusters[0]?.metrics).toEqual(['http://a:1/metrics', 'https://b:2/metrics'])
  for (const wrong of ['"a:1"', '"ftp://a/metrics"', '"metrics"']) {
    cluster(wrong)
    expect(problemsOf({})).toEqual([
      expect.stringMatching(/metrics\[0\]: .* is not the address of a metrics page: write http:\/\/host:port\/metrics/),
    ])
  }
})

describe('the token for reports', () => {
  const cluster = 'clusters: [{ name: a, endpoints: ["http://a:1"], watch: [/e/] }]'

  test('is named by the file or by its variable, which wins', () => {
    for (const name of ['one', 'two']) writeFileSync(join(folder, name), 'x')
    write(`reports: { tokenFile: one }\n${cluster}`)
    expect(loadConfig({}, folder).reports).toEqual({ tokenFile: 'one' })
    expect(loadConfig({ TENURE_REPORTS_TOKEN_FILE: 'two' }, folder).reports).toEqual({ tokenFile: 'two' })
  })

  test('must be in a file that can be read, and never in the settings themselves', () => {
    write(`reports: { tokenFile: nowhere }\n${cluster}`)
    expect(problemsOf({})).toEqual([expect.stringMatching(/tenure.yaml:1: cannot read .*nowhere: give the path/)])
    write(`reports: { token: secret }\n${cluster}`)
    expect(problemsOf({}).join()).toMatch(/unknown setting "token"/)
  })
})

describe('sign-in', () => {
  const cluster = 'clusters: [{ name: a, endpoints: ["http://a:1"], watch: [/e/] }]'

  test('is required, and nobody looks without it, unless the settings say so', () => {
    write(cluster)
    expect(loadConfig({}, folder)).toMatchObject({ auth: 'required', anonymousViewing: false, readOnly: false })
    const set = { TENURE_AUTH: 'loopback-open', TENURE_ANONYMOUS_VIEWING: 'true' }
    expect(loadConfig(set, folder)).toMatchObject({ auth: 'loopback-open', anonymousViewing: true })
  })

  test.each(['0.0.0.0', '::', '10.0.0.5', 'tenure.example.org', '127.0.0.1.example.org'])(
    'loopback-open does not start on %s',
    (host) => {
      write(`auth: loopback-open\nhost: "${host}"\n${cluster}`)
      expect(problemsOf({})).toEqual([expect.stringMatching(/^\/tenure.yaml:1: auth: loopback-open makes everybody/)])
    },
  )

  test.each(['localhost', '127.0.0.1', '127.3.2.1', '::1'])('loopback-open starts on %s', (host) => {
    write(`auth: loopback-open\nhost: "${host}"\n${cluster}`)
    expect(problemsOf({})).toEqual([])
  })

  test('anything else than the two is refused, never taken for open', () => {
    write(cluster)
    for (const TENURE_AUTH of ['off', 'none', 'false', 'Required']) {
      expect(problemsOf({ TENURE_AUTH })).toEqual([
        expect.stringMatching(/^TENURE_AUTH: auth must be required or loopback-open/),
      ])
    }
  })

  test('by OpenID Connect needs publicUrl, a secret that can be read, and at least one role', () => {
    writeFileSync(join(folder, 'secret'), 'x')
    const oidc = (rest: string) =>
      write(`${cluster}\noidc: { issuer: "https://login.example.org", clientId: tenure, ${rest} }`)
    oidc('clientSecretFile: secret, roles: { ops: operator }')
    expect(problemsOf({})).toEqual([expect.stringMatching(/tenure.yaml:2: .*publicUrl is missing/)])
    const published = { TENURE_PUBLIC_URL: 'https://tenure.example.org' }
    expect(problemsOf(published)).toEqual([])
    oidc('clientSecretFile: nowhere, roles: {}')
    expect(problemsOf(published)).toEqual([
      expect.stringMatching(/oidc.roles must map at least one value/),
      expect.stringMatching(/cannot read .*nowhere/),
    ])
    oidc('clientSecretFile: secret, roles: { ops: root }')
    expect(problemsOf(published)).toEqual([expect.stringMatching(/a role is viewer, operator or admin/)])
  })
})

describe('tenure.yaml', () => {
  test('gives several clusters', () => {
    write(
      [
        'clusters:',
        '  - { name: eu, endpoints: ["http://a:2379"], watch: ["/e/"], layouts: [{ pattern: /jobs/*/, layout: queue }] }',
        '  - { name: us, endpoints: ["https://b:2379"], watch: [""], readOnly: true }',
      ].join('\n'),
    )
    const config = loadConfig({}, folder)
    expect(config.clusters.map(({ name, readOnly }) => [name, readOnly])).toEqual([
      ['eu', false],
      ['us', true],
    ])
  })

  test('says what is promised, and what a promise must be', () => {
    const cluster = 'clusters: [{ name: a, endpoints: ["http://a:2379"], watch: ["/e/"] }]'
    write(cluster)
    expect(loadConfig({}, folder).objectives).toEqual({
      led: 99.9,
      failover: { percent: 95, withinMs: 12_000 },
      elections: [],
    })
    write(`${cluster}\nobjectives: { failover: { withinMs: 8000 }, elections: [{ pattern: /e/a, led: 99.99 }] }`)
    expect(loadConfig({}, folder).objectives).toMatchObject({
      led: 99.9,
      failover: { percent: 95, withinMs: 8_000 },
      elections: [{ pattern: '/e/a', led: 99.99 }],
    })
    write(`${cluster}\nobjectives: { led: 101, failover: { withinMs: 12 }, elections: [{ pattern: "", led: 1 }] }`)
    expect(problemsOf({})).toEqual([
      expect.stringMatching(/objectives.led is a percentage above 0 and at most 100, such as 99.9/),
      expect.stringMatching(/withinMs is at least 100: milliseconds, such as 12000 for 12 s/),
      expect.stringMatching(/a pattern must not be empty/),
    ])
  })

  test('reports every problem at once, each with its line', () => {
    write(
      [
        'port: 99999',
        'clusters:',
        '  - name: EU',
        '    endpoints: ["http://a:2379", "https://b:2379"]',
        '    watch: []',
        '    wacth: ["/x/"]',
        '    tls: { ca: /nowhere }',
      ].join('\n'),
    )
    const problems = problemsOf({})
    expect(problems).toHaveLength(7)
    expect(problems[0]).toMatch(/^\/tenure.yaml:1: port/)
    expect(problems.some((text) => /^\/tenure.yaml:3: clusters\[0\].name: a cluster name is/.test(text))).toBe(true)
    expect(problems.some((text) => /^\/tenure.yaml:5: watch needs/.test(text))).toBe(true)
    expect(problems.some((text) => text.includes('unknown setting "wacth"'))).toBe(true)
  })

  test('mixed schemes, half a key pair and an unreadable file are refused', () => {
    const cluster = (rest: string) => write(`clusters:\n  - { name: a, watch: [/e/], ${rest} }`)
    cluster('endpoints: ["http://a:1", "https://b:1"]')
    expect(problemsOf({})[0]).toMatch(/mix http and https/)
    cluster('endpoints: ["https://a:1"], tls: { ca: x, cert: y }')
    expect(problemsOf({})[0]).toMatch(/tls.cert and tls.key belong together/)
    cluster('endpoints: ["https://a:1"], tls: { ca: nowhere.pem }')
    expect(problemsOf({})[0]).toMatch(/cannot read .*nowhere\.pem/)
  })

  test('broken YAML is reported with its line', () => {
    write('clusters:\n  - name: [')
    expect(problemsOf({})[0]).toMatch(/^\/tenure.yaml:2: /)
  })

  test('a pattern whose end does not fit its layout says the right one', () => {
    write(
      'clusters:\n  - { name: a, endpoints: ["http://a:1"], watch: [/e/], layouts: [{ pattern: /jobs/*, layout: queue }] }',
    )
    expect(problemsOf({})[0]).toMatch(/write "\/jobs\/\*\/"/)
  })
})
