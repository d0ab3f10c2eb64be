'use client'
import { useId, useState } from 'react'
import { LONGEST_NOTE } from '../../lib/election/annotations.ts'
import type { TermShape } from '../../lib/election/describe.ts'
import type { Cluster } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import { useWhyNot, wordsOfRefusal } from '../live/may.ts'
import { type TermId, useAcknowledgeTerm, useNoteVersions, useWriteNote } from '../live/notes.ts'
import { Button } from '../ui/button.tsx'
import { moment } from './detail-term-words.ts'

interface NotesProps {
  cluster: Cluster
  reference: string
  term: TermShape
  now: Instant
}

/** Who has seen to the end of a term, and what is known of it that etcd cannot tell. */
export function TermNotes({ cluster, reference, term, now }: NotesProps) {
  const { epoch, token } = term
  const id: TermId = { cluster: cluster.name, ref: reference, epoch, token }
  const refusal = wordsOfRefusal(useWhyNot('notes', cluster, null))
  const [editing, setEditing] = useState(false)
  return (
    <div className="mt-2 grid gap-2">
      {editing ? (
        <NoteForm id={id} onDone={() => setEditing(false)} term={term} />
      ) : (
        <Said id={id} now={now} term={term} />
      )}
      {!editing && (
        <div className="flex flex-wrap items-center gap-2">
          {term.to !== null && term.acknowledged == null && <Acknowledge id={id} refusal={refusal} term={term} />}
          <Button
            className="max-sm:h-10"
            disabled={refusal !== null}
            onClick={() => setEditing(true)}
            size="sm"
            title={refusal ?? undefined}
          >
            {term.note == null ? 'Write a note' : 'Edit note'}
          </Button>
          {refusal !== null && <span className="text-xs">{refusal}</span>}
        </div>
      )}
    </div>
  )
}

function Acknowledge({ id, term, refusal }: { id: TermId; term: TermShape; refusal: string | null }) {
  const acknowledge = useAcknowledgeTerm()
  return (
    <>
      <Button
        aria-label={`Acknowledge the end of term #${term.ordinal}`}
        className="max-sm:h-10"
        disabled={refusal !== null || acknowledge.isPending}
        onClick={() => acknowledge.mutate(id)}
        size="sm"
        title={refusal ?? undefined}
      >
        Acknowledge
      </Button>
      {acknowledge.error && <Trouble words={acknowledge.error.message} />}
    </>
  )
}

function Trouble({ words }: { words: string }) {
  return (
    <p className="words w-full text-crit" role="alert">
      Not written: {words}
    </p>
  )
}

function Said({ id, term, now }: { id: TermId; term: TermShape; now: Instant }) {
  const [older, setOlder] = useState(false)
  const { note, acknowledged, noteVersions = 0 } = term
  return (
    <>
      {acknowledged != null && (
        <p>
          Acknowledged by <b className="text-t1">{acknowledged.by}</b>, {moment(acknowledged.at, now)} UTC.
        </p>
      )}
      {note != null && (
        <blockquote className="border-ctl border-l-2 pl-2.5">
          <p className="words whitespace-pre-wrap text-t1">{note.text}</p>
          <footer>
            {note.by}, {moment(note.at, now)} UTC
          </footer>
        </blockquote>
      )}
      {note == null && noteVersions > 0 && <p>The note was taken away.</p>}
      {noteVersions > (note == null ? 0 : 1) && (
        <button
          aria-expanded={older}
          className="link justify-self-start max-sm:min-h-10"
          onClick={() => setOlder(!older)}
          type="button"
        >
          {older ? 'Hide versions' : count(noteVersions, 'version')}
        </button>
      )}
      {older && <Versions id={id} now={now} />}
    </>
  )
}

function Versions({ id, now }: { id: TermId; now: Instant }) {
  const { data, error } = useNoteVersions(id, true)
  if (error) return <Trouble words={error.message} />
  return (
    <ol className="grid gap-1.5">
      {(data ?? []).map((version) => (
        <li className="border-line border-l-2 pl-2.5" key={version.id}>
          {version.text === '' ? (
            <p className="italic">taken away</p>
          ) : (
            <p className="words whitespace-pre-wrap">{version.text}</p>
          )}
          <p className="text-t3">
            {version.by}, {moment(version.at, now)} UTC
          </p>
        </li>
      ))}
    </ol>
  )
}

function NoteForm({ id, term, onDone }: { id: TermId; term: TermShape; onDone: () => void }) {
  const field = useId()
  const write = useWriteNote()
  const [text, setText] = useState(term.note?.text ?? '')
  // What was read when the writing began: a version that comes meanwhile is not silently replaced. Once the
  // refusal has told what it says, saving again is to replace it.
  const [begun] = useState(term.noteVersion ?? null)
  const after = write.error === null ? begun : (term.noteVersion ?? null)
  const save = () => write.mutate({ ...id, text, after }, { onSuccess: onDone })
  return (
    <div>
      <label className="mb-1 block" htmlFor={field}>
        Note on term #{term.ordinal}, for everybody who looks; earlier versions are kept
      </label>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it was opened to be written into
        autoFocus
        className="words block w-full rounded-md border border-ctl bg-bg px-2.5 py-2 text-base text-t1 max-sm:text-lg"
        id={field}
        maxLength={LONGEST_NOTE}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onDone()
        }}
        rows={3}
        value={text}
      />
      <div className="mt-2 flex gap-2">
        <Button className="max-sm:h-10" disabled={write.isPending} onClick={save} size="sm" variant="primary">
          {write.error === null ? 'Save note' : 'Save mine after it'}
        </Button>
        <Button className="max-sm:h-10" onClick={onDone} size="sm">
          Cancel
        </Button>
      </div>
      {write.error && <Trouble words={write.error.message} />}
    </div>
  )
}
