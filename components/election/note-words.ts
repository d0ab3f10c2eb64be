import type { Note } from '../../lib/election/describe.ts'

/** What a reader should know besides the status, in words. */
export function noteWords(note: Note): string {
  switch (note.type) {
    case 'leader-without-lease':
      return 'leader’s key has no lease'
    case 'ttl-denied':
      return 'TTL unavailable: not permitted'
    case 'held':
      return note.by === '' ? 'seat held by an enforced stop' : `seat held by an enforced stop of ${note.by}`
    case 'blocked':
      return `blocked by older key ${note.key}`
    case 'identity-shared':
      return note.identity === ''
        ? `${note.candidates} candidates have no name`
        : `${note.candidates} candidates named ${note.identity}`
  }
}
