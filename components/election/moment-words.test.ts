import { expect, it } from 'vitest'
import { revision } from '../../lib/election/ids.ts'
import type { ElectionRef, Term } from '../../lib/election/types.ts'
import { momentWords, type ToldChange } from './moment-words.ts'

const AT = '2026-03-12T03:12:07.000Z'
const ref = (name: string) => name as ElectionRef
const moment = { at: AT, revision: revision('9') }

function joined(name: string, identity: string): ToldChange {
  const event = { ...moment, type: 'candidate-joined', identity, keyBase64: btoa(identity), lease: null } as const
  return { cluster: 'prod', type: 'election', ref: ref(name), event }
}

function term(ordinal: number, identity: string, part: Partial<Term> = {}): Term {
  return {
    ordinal,
    epoch: 0,
    token: revision(String(ordinal)),
    leader: { identity, key: identity, keyBase64: btoa(identity), lease: null },
    from: AT,
    fromAtLeast: false,
    to: null,
    gapMs: null,
    takeoverMs: null,
    silentMs: null,
    endedBy: null,
    ...part,
  }
}

const nameOf = (_: string, name: string) => name

it('says who lost the lead and who has it, and names the election where it must be named', () => {
  const endedBy = { cause: 'lease lost', evidence: 'gone' } as const
  const changes: ToldChange[] = [
    {
      cluster: 'prod',
      type: 'election',
      ref: ref('eu'),
      event: { ...moment, type: 'term-ended', term: term(1, 'a', { to: AT, endedBy }) },
    },
    {
      cluster: 'prod',
      type: 'election',
      ref: ref('eu'),
      event: { ...moment, type: 'term-started', term: term(2, 'b') },
    },
  ]
  expect(momentWords(changes, nameOf)).toBe('eu: a lost the lead: #1 ended, lease lost; b leads: #2, token 2.')
  expect(momentWords(changes, () => '')).toBe('a lost the lead: #1 ended, lease lost; b leads: #2, token 2.')
})

it('counts the rest where many elections moved at once', () => {
  const many = ['a', 'b', 'c', 'd'].map((name) => joined(name, 'x'))
  expect(momentWords(many, nameOf)).toBe('a: x joined the queue. b: x joined the queue. and 2 other elections.')
})

it('says where Tenure stopped seeing, and what was stopped on purpose', () => {
  const gap = { from: AT, to: AT, reason: 'no answer' }
  const scope = { scope: '/jobs/', scopeBase64: btoa('/jobs/'), match: 'prefix', nonce: 'n', by: 'ann' } as const
  const stop = { ...scope, reason: 'upgrade', from: AT, to: AT, ended: 'released', endedBy: 'ben' } as const
  const of = (change: ToldChange) => momentWords([change], nameOf)
  expect(of({ cluster: 'prod', type: 'gap-began', gap })).toBe('Tenure saw nothing of prod from here on: no answer.')
  expect(of({ cluster: 'prod', type: 'gap-ended', gap })).toBe('Tenure saw prod again.')
  expect(of({ cluster: 'prod', type: 'stop-began', stop })).toBe('/jobs/ and below stopped by ann: upgrade.')
  expect(of({ cluster: 'prod', type: 'stop-ended', stop })).toBe('/jobs/ and below no longer stopped: released by ben.')
})
