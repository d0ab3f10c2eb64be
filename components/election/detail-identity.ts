/** What a candidate is called where its own name is missing or not its alone. */

/** An empty value is a name too: it must be seen to be empty. */
export function identityText(identity: string): string {
  return identity === '' ? '(empty)' : identity
}

/** The last four digits of a lease, or of the key without one: enough to tell namesakes apart on one screen. */
export function shortLease({ lease, key }: { lease: string | null; key: string }): string {
  return `…${(lease ?? key).slice(-4)}`
}
