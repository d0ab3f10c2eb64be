import type { Candidate, Leader } from '../../lib/election/types.ts'

/** What to call a candidate in a sentence; one without a name by the end of its key. */
export function called(who: Pick<Leader | Candidate, 'identity' | 'key'>): string {
  if (who.identity !== '') return who.identity
  const end = who.key.replace(/\/+$/, '').split('/').at(-1)
  return end ? `…/${end}` : 'a candidate without a name'
}
