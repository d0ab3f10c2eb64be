import { expect, it } from 'vitest'
import { connectEtcd, type EtcdOptions } from './connect-etcd.ts'

it.each([
  ['one address instead of a list', { endpoints: 'http://a:2379' }, 'endpoints is no list'],
  ['no endpoints', {}, 'endpoints is no list'],
  ['an empty list', { endpoints: [] }, 'endpoints is empty'],
  ['a path', { endpoints: ['http://a:2379/v3'] }, 'give it as http://host:port'],
  [
    'a user who would never log in',
    { endpoints: ['http://a:2379'], user: 'app' },
    '"user" and "passwordFile" together',
  ],
  ['a password of nobody', { endpoints: ['http://a:2379'], passwordFile: 'pw' }, '"user" and "passwordFile" together'],
])('refuses %s', (_, options, words) => {
  expect(() => connectEtcd(options as EtcdOptions)).toThrow(words)
})

it('takes a user of a certificate', () => {
  const options = { endpoints: ['https://a:2379'], ca: 'ca.pem', cert: 'app.pem', key: 'app.key', user: 'app' }
  connectEtcd(options).close()
})
