import type { Note } from '../../lib/election/describe.ts'

/** What a reader should know besides the status, in words. */
export function noteWords(note: Note): string {
  switch (note.type) {
    case 'leader-without-lease':
      return 'leader has no lease: its key never expires'
    case 'ttl-denied':
      return 'TTL unavailable: this account may not look up leases'
    case 'blocked':
      return `blocked by older key ${note.key}`
    case 'identity-shared':
      return note.identity === ''
        ? `${note.candidates} candidates have no name`
        : `identity ${note.identity} shared by ${note.candidates} candidates`
  }
}
