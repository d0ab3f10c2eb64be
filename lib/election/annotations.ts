/** What people say about a term afterwards: that somebody has seen to its end, and a note. */
import type { Instant } from '../shared/clock.ts'
import type { Revision, Term } from './types.ts'

export const LONGEST_NOTE = 2_000

export interface Annotation {
  /** Rises with time; decimal. */
  id: string
  epoch: number
  token: Revision
  kind: 'note' | 'acknowledged'
  at: Instant
  by: string
  /** Empty: the note was taken away. Always empty for `acknowledged`. */
  text: string
}

export interface Annotated {
  /** The newest version; null when there is none, or it was taken away. */
  note: { id: string; text: string; at: Instant; by: string } | null
  /** Of the newest version, also when that took the note away; null when nobody wrote one. */
  noteVersion: string | null
  /** How many versions there are. */
  noteVersions: number
  /** Who did so first. */
  acknowledged: { at: Instant; by: string } | null
}

const NOTHING: Annotated = { note: null, noteVersion: null, noteVersions: 0, acknowledged: null }

export const annotatedKey = ({ epoch, token }: Pick<Term, 'epoch' | 'token'>) => `${epoch}:${token}`

function withOne(known: Annotated, { id, kind, at, by, text }: Annotation): Annotated {
  if (kind === 'acknowledged') return known.acknowledged === null ? { ...known, acknowledged: { at, by } } : known
  return {
    ...known,
    note: text === '' ? null : { id, text, at, by },
    noteVersion: id,
    noteVersions: known.noteVersions + 1,
  }
}

/** By `annotatedKey`, from all annotations of an election, oldest first. */
export function annotatedTerms(annotations: readonly Annotation[]): Map<string, Annotated> {
  const found = new Map<string, Annotated>()
  for (const each of annotations) {
    const key = annotatedKey(each)
    found.set(key, withOne(found.get(key) ?? NOTHING, each))
  }
  return found
}
