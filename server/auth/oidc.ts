/** Sign-in by OpenID Connect: the provider says who it is, a claim says with which role. */
import { readFileSync } from 'node:fs'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { atLeast, type Role } from '../../lib/election/policy.ts'
import type { Config } from '../config/schema.ts'
import type { Provider } from './library.ts'

type Oidc = NonNullable<Config['oidc']>

/** The highest of the roles that the claim's values are mapped to; null: this person has none here. */
export function roleOfClaims({ roleClaim, roles }: Pick<Oidc, 'roleClaim' | 'roles'>, claims: object): Role | null {
  const claim: unknown = (claims as Record<string, unknown>)[roleClaim]
  const values = Array.isArray(claim) ? claim : [claim]
  let highest: Role | null = null
  for (const value of values) {
    // Own properties only: a claim that says "constructor" must not find anything.
    const role = typeof value === 'string' && Object.hasOwn(roles, value) ? roles[value] : undefined
    if (role !== undefined && (highest === null || atLeast(role, highest))) highest = role
  }
  return highest
}

export function oidcProvider(oidc: Oidc, fileOf: (path: string) => string): Provider {
  const plugin = genericOAuth({
    config: [
      {
        providerId: 'oidc',
        name: oidc.name,
        discoveryUrl: `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        clientId: oidc.clientId,
        clientSecret: readFileSync(fileOf(oidc.clientSecretFile), 'utf8').trim(),
        scopes: ['openid', 'email', 'profile'],
        requireIdTokenVerification: true,
        pkce: true,
      },
    ],
  })
  return { plugin, roleOf: (claims) => roleOfClaims(oidc, claims) }
}
