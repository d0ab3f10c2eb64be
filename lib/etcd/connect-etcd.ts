import type { Etcd } from '../election/ports.ts'
import { EtcdClient } from './client.ts'
import type { CredentialFiles } from './credentials.ts'

/** Certificates and password are read from files anew at each connection, so they may be replaced while it runs. */
export interface EtcdOptions extends CredentialFiles {
  /** `http://host:2379`, or `https://` with `ca`. Each member's, so that one of them may be down. */
  endpoints: readonly string[]
}

/** A client to share by all candidates of a process; nothing is sent yet. Throws `TypeError` on a bad endpoint. */
export function connectEtcd({ endpoints, ...credentials }: EtcdOptions): Etcd {
  if (!Array.isArray(endpoints)) throw new TypeError('endpoints is no list: give ["http://host:port", …]')
  const { user, passwordFile, cert } = credentials
  if (cert === undefined && (user === undefined) !== (passwordFile === undefined))
    throw new TypeError('give "user" and "passwordFile" together: with one of them nobody would be logged in')
  if (endpoints.length === 0) throw new TypeError('endpoints is empty: give the address of at least one etcd member')
  for (const endpoint of endpoints) {
    if (!/^https?:\/\/[^/]+$/.test(endpoint))
      throw new TypeError(`endpoint ${JSON.stringify(endpoint)}: give it as http://host:port or https://host:port`)
    if (endpoint.startsWith('https:') && credentials.ca === undefined)
      throw new TypeError(
        `endpoint ${endpoint} is served over TLS: give "ca", the file of the authority that signed it`,
      )
  }
  return new EtcdClient({ endpoints, credentials })
}
