'use client'
import { type FormEvent, useId, useRef, useState } from 'react'
import { readMoment, spoken } from '../live/as-of.ts'
import { usePast } from '../live/past-provider.tsx'
import { useServerNow } from '../live/use-live.ts'
import { Button } from './button.tsx'
import { ServerClock } from './server-clock.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const PANEL = 'as-of-panel'

/** The clock, and the way to another time. The browser's own popover, as the account menu is. */
export function PastPicker() {
  const panel = useRef<HTMLElement>(null)
  const ready = () => {
    const field = panel.current?.querySelector('input')
    if (field && document.activeElement !== field) field.select()
  }
  useShortcuts({
    a: () => {
      panel.current?.showPopover()
      ready()
    },
  })
  return (
    <>
      <button
        aria-keyshortcuts="a"
        aria-label="As of another time"
        className="-mx-1.5 rounded-md px-1.5 py-1 hover:bg-s3 max-sm:min-h-11"
        popoverTarget={PANEL}
        title="As of another time (A)"
        type="button"
      >
        <ServerClock />
      </button>
      <section
        aria-label="As of"
        className="fixed inset-auto top-[54px] right-5 m-0 w-80 rounded-lg border border-line2 bg-s1 p-4 text-t1 shadow-dialog max-sm:right-4 max-sm:w-[calc(100vw-32px)]"
        id={PANEL}
        onToggle={(event) => event.newState === 'open' && ready()}
        popover="auto"
        ref={panel}
      >
        <Form onDone={() => panel.current?.hidePopover()} />
      </section>
    </>
  )
}

function Form({ onDone }: { onDone: () => void }) {
  const id = useId()
  const now = useServerNow(1)
  const { at, goTo } = usePast()
  const [text, setText] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const value = text ?? (now === null ? '' : spoken(now).slice(0, 19))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // In the past the clock stands still: only the server knows what is in the future.
    const read = readMoment(value, at === null ? now : null)
    if ('problem' in read) return setProblem(read.problem)
    setReading(true)
    const trouble = await goTo(read.at)
    setReading(false)
    setProblem(trouble)
    if (trouble !== null) return
    setText(null)
    onDone()
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <label className="mb-1 block font-semibold" htmlFor={id}>
        Show everything as of
      </label>
      <div className="flex items-center gap-2">
        <input
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== null}
          autoComplete="off"
          className="h-9 w-full min-w-0 rounded-md border border-ctl bg-s2 px-2.5 text-base max-sm:h-11 max-sm:text-lg"
          id={id}
          onChange={(event) => {
            setText(event.target.value)
            setProblem(null)
          }}
          spellCheck={false}
          value={value}
        />
        <span className="text-t2">UTC</span>
        <Button className="max-sm:h-11" disabled={isReading} type="submit" variant="primary">
          Show
        </Button>
      </div>
      <p className="words mt-2 min-h-8 text-sm text-t2" id={`${id}-hint`} role={problem === null ? undefined : 'alert'}>
        {problem === null ? (
          '2026-03-12 03:12:07, or a time of day. Actions are off there.'
        ) : (
          <span className="text-crit">{problem}</span>
        )}
      </p>
    </form>
  )
}
