import { expect, test } from 'vitest'
import { kindOfError, plainMessage } from './errors.ts'

test.each([
  [
    '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 127.0.0.1:2379 (2026-11-29T19:36:07.823Z). Resolution note: ',
    'connect ECONNREFUSED 127.0.0.1:2379',
  ],
  [
    '4 DEADLINE_EXCEEDED: Deadline exceeded after 2.003s,name resolution: 0.001s,LB pick: 0.001s,remote_addr=127.0.0.1:25559',
    'no answer within 2.0 s',
  ],
  ['7 PERMISSION_DENIED: etcdserver: permission denied', 'etcdserver: permission denied'],
  ['etcdserver: no leader', 'etcdserver: no leader'],
])('%s', (raw, plain) => {
  expect(plainMessage(raw)).toBe(plain)
})

test.each([
  ['etcdserver: mvcc: required revision has been compacted', 'compacted'],
  ['etcdserver: no leader', 'no-quorum'],
  ['etcdserver: permission denied', 'denied'],
  ['etcdserver: authentication failed, invalid user ID or password', 'auth'],
  ['auth: revision of auth store is old', 'auth'],
  ['14 UNAVAILABLE: No connection established', 'unavailable'],
  ['4 DEADLINE_EXCEEDED: Deadline exceeded after 2.0s', 'deadline'],
  ['8 RESOURCE_EXHAUSTED: Received message larger than max', 'too-large'],
  ['something else', 'other'],
])('%s is %s', (message, kind) => {
  expect(kindOfError(new Error(message))).toBe(kind)
})
