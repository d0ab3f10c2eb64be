/** What a candidate is called where its own name is missing or not its alone. */

/** An empty value is a name too: it must be seen to be empty. */
export function identityText(identity: string): string {
  return identity === '' ? '(empty)' : identity
}

/** The last four digits of a lease, enough to tell two namesakes apart on one screen. */
export function shortLease(lease: string | null): string {
  return lease === null ? 'no lease' : `…${lease.slice(-4)}`
}
