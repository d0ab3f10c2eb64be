import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CandidateReport, type ReportBatch, reportBatch } from '../election/reports.ts'
import type { Revision } from '../election/types.ts'
import { FakeEtcd } from '../etcd/fake-etcd.ts'
import { systemTimeline } from '../etcd/virtual-time.ts'
import { Mailbox } from './mailbox.ts'
import { type ReportOptions, settingsOf } from './options.ts'
import { Reporting } from './reporting.ts'
import type { Term } from './term.ts'

let server: Server
let received: { authorization: string | undefined; batch: ReportBatch }[]
let answer: () => Promise<void>
let reports: ReportOptions

beforeEach(async () => {
  received = []
  answer = async () => {}
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const batch = reportBatch.parse(JSON.parse(Buffer.concat(chunks).toString()))
    received.push({ authorization: request.headers.authorization, batch })
    await answer()
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  reports = { url: `http://127.0.0.1:${port}/api/reports`, token: 'secret', cluster: 'main' }
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const report = (identity: string): CandidateReport => ({
  cluster: 'main',
  layout: 'queue',
  prefixBase64: 'am9iLw==',
  instance: identity,
  identity,
  lease: null,
  state: 'waiting',
  token: null,
  claimLeftMs: null,
  lastWorkAgeMs: null,
  rejections: 0,
  missed: 0,
  renewals: [],
})
const identities = () => received.map(({ batch }) => batch.reports.map(({ identity }) => identity))

describe('a mailbox', () => {
  it('is shared by all who report to the same place, and sends their changes as one batch, with the token', async () => {
    const mailbox = Mailbox.of(reports)
    expect(Mailbox.of({ ...reports })).toBe(mailbox)
    const [a, b] = [() => report('a'), () => report('b')]
    mailbox.later(a)
    mailbox.soon(b)
    mailbox.soon(a)
    await vi.waitFor(() => expect(identities()).toEqual([['a', 'b']]), 5_000)
    expect(received[0]?.authorization).toBe('Bearer secret')
  })

  it('puts no two clusters into one batch, which is refused as a whole', () => {
    expect(Mailbox.of({ ...reports, cluster: 'misspelled' })).not.toBe(Mailbox.of(reports))
  })

  it('piles nothing up behind a dashboard that hangs: what waits is written when it is sent', async () => {
    const mailbox = Mailbox.of(reports)
    let free = () => {}
    const hanging = new Promise<void>((resolve) => {
      free = resolve
    })
    answer = () => hanging
    let written = 0
    const write = () => {
      written += 1
      return report(`written ${written}`)
    }
    mailbox.soon(write)
    await vi.waitFor(() => expect(received.length).toBe(1), 5_000)
    for (let change = 0; change < 10; change += 1) {
      mailbox.soon(write)
      await sleepFor(25)
    }
    expect(written).toBe(1)
    free()
    await mailbox.flush()
    expect(identities()).toEqual([['written 1'], ['written 2']])
  })

  it('gives up without a word when the dashboard is away', async () => {
    const mailbox = Mailbox.of({ ...reports, url: 'http://127.0.0.1:1/api/reports' })
    mailbox.soon(() => report('a'))
    await expect(mailbox.flush()).resolves.toBeUndefined()
  })

  it('sends many in batches that a dashboard takes', async () => {
    const mailbox = Mailbox.of(reports)
    for (let nth = 0; nth < 450; nth += 1) mailbox.later(() => report(`a${nth}`))
    await mailbox.flush()
    expect(identities().map(({ length }) => length)).toEqual([200, 200, 50])
  })
})

describe('a report', () => {
  const etcd = new FakeEtcd(systemTimeline).client('a')
  const clock = { nowMs: () => 0, monoMs: () => 90_000_000 }
  const token = { epoch: 1, revision: '7' as Revision }
  const make = (term: Partial<Term> | null) => {
    const settings = { ...settingsOf({ etcd, election: 'job', identity: 'host-1', reports }), clock }
    return new Reporting(settings, () => ({ state: 'leading', lease: null, term: term as Term | null }))
  }
  const last = () => received.at(-1)?.batch.reports[0]

  it('says what it claims and for how long, and nothing of that once the term is over', async () => {
    const term = { token, leftMs: 1_500, workedMs: 89_999_000 }
    const reporting = make(term)
    reporting.renewed({ sentMs: 89_999_500, rttMs: 12 })
    reporting.missed()
    reporting.countRejection()
    await reporting.close()
    expect(last()).toMatchObject({
      prefixBase64: 'am9iLw==',
      token,
      claimLeftMs: 1_500,
      lastWorkAgeMs: 1_000,
      rejections: 1,
      missed: 1,
      renewals: [{ ageMs: 500, rttMs: 12 }],
    })
    term.leftMs = 0
    reporting.changed()
    await reporting.close()
    expect(last()).toMatchObject({ token: null, claimLeftMs: null, rejections: 1, missed: 0, renewals: [] })
  })

  it('is not refused for a work that last asked for a proof more than a day ago', async () => {
    const reporting = make({ token, leftMs: 1_500, workedMs: 1_000_000 })
    reporting.changed()
    await reporting.close()
    expect(last()?.lastWorkAgeMs).toBe(86_400_000)
  })

  it('is not refused for a round trip in which the process was frozen for hours', async () => {
    const reporting = make(null)
    reporting.renewed({ sentMs: 80_000_000, rttMs: 10_000_000 })
    await reporting.close()
    expect(last()?.renewals[0]?.rttMs).toBe(600_000)
  })

  it('keeps no more samples than a dashboard takes, the newest', async () => {
    const reporting = make(null)
    for (let nth = 0; nth < 700; nth += 1) reporting.renewed({ sentMs: 89_000_000 + nth, rttMs: nth })
    await reporting.close()
    expect([last()?.renewals.length, last()?.renewals.at(-1)?.rttMs]).toEqual([500, 699])
  })

  it('is not made where nobody asked for reports', async () => {
    const settings = settingsOf({ etcd, election: 'job', identity: 'host-1' })
    const reporting = new Reporting(settings, () => ({ state: 'waiting', lease: null, term: null }))
    reporting.changed()
    reporting.renewed({ sentMs: 0, rttMs: 1 })
    await reporting.close()
    expect(received).toEqual([])
  })
})
