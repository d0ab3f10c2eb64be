'use client'
import { type FormEvent, useId, useState } from 'react'
import { ALERT_RULES, type Alert } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { count } from '../../lib/shared/format.ts'
import { ruleWords } from '../election/alert-glyph.ts'
import { AlertMark } from '../election/alert-mark.tsx'
import { useSilence } from '../live/alerts.ts'
import { useServerNow } from '../live/use-live.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { useChosenCluster } from '../ui/use-chosen-cluster.ts'
import { untilWords } from './alert-words.ts'
import { CommentField } from './comment-field.tsx'
import { Picked } from './picked.tsx'
import { draftOf, fitting, inputOf, LENGTHS, missingIn, ruleOf, type SilenceDraft, untilOf } from './silence-draft.ts'

interface SilenceDialogProps {
  /** What it begins with; null: everything of the chosen cluster. */
  alert: Alert | null
  /** What fires or waits to: it is shown which of them it would fit. */
  alerts: readonly Alert[]
  onClose: () => void
}

/** Keeps what it fits from being told, for a while. It hides nothing: the page shows it as silenced. */
export function SilenceDialog({ alert, alerts, onClose }: SilenceDialogProps) {
  const form = useId()
  const now = useServerNow(1)
  const { chosen } = useChosenCluster()
  const [draft, setDraft] = useState<SilenceDraft>(() => draftOf(alert, chosen))
  const silence = useSilence()
  const change = (part: Partial<SilenceDraft>) => setDraft((before) => ({ ...before, ...part }))
  if (now === null) return null
  const missing = missingIn(draft, now)
  const until = untilOf(draft, now)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing !== null || until === null || silence.isPending) return
    silence.mutate(inputOf(draft, until), { onSuccess: onClose })
  }
  return (
    <Dialog
      className="max-sm:inset-0! max-sm:max-h-none max-sm:w-full max-sm:translate-x-0 max-sm:rounded-none"
      onOpenChange={onClose}
      open
      title={alert === null ? 'Silence alerts' : `Silence ${alert.subject}`}
    >
      <form className="min-h-0 grow space-y-4 overflow-y-auto px-6 py-4 max-sm:px-4" id={form} onSubmit={submit}>
        {silence.error !== null && <Notice tone="crit">Not silenced: {silence.error.message}</Notice>}
        <Fits change={change} draft={draft} />
        <Until change={change} draft={draft} now={now} />
        <CommentField
          hint="required, for everybody who looks"
          isFirst={alert !== null}
          onChange={(comment) => change({ comment })}
          value={draft.comment}
        />
        <Fitting alerts={fitting(draft, alerts)} />
      </form>
      <footer className="flex flex-wrap items-center justify-end gap-3 border-line border-t px-6 py-3.5 max-sm:px-4">
        <p className="words mr-auto text-sm text-t2" role="status">
          {missing}
        </p>
        <Button className="max-sm:h-11" onClick={onClose}>
          Cancel
        </Button>
        <Button
          className="max-sm:h-11"
          disabled={missing !== null || silence.isPending}
          form={form}
          type="submit"
          variant="primary"
        >
          Silence{until === null ? '' : ` ${untilWords(until, now)}`}
        </Button>
      </footer>
    </Dialog>
  )
}

interface PartProps {
  draft: SilenceDraft
  change: (part: Partial<SilenceDraft>) => void
}

const RULES = ALERT_RULES.map((rule) => ({ value: rule, label: ruleWords(rule) }))

function Fits({ draft, change }: PartProps) {
  const { names } = useChosenCluster()
  const clusters = [...new Set([...names, ...(draft.cluster === '' ? [] : [draft.cluster])])]
  return (
    <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
      <Picked
        all="Every rule"
        label="Rule"
        onChange={(rule) => change({ rule: ruleOf(rule) })}
        options={RULES}
        value={draft.rule}
      />
      <Picked
        all="Every cluster, and Tenure itself"
        label="Cluster"
        onChange={(cluster) => change({ cluster })}
        options={clusters.map((name) => ({ value: name, label: name }))}
        value={draft.cluster}
      />
      <Field
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        className="col-span-full"
        hint="* stands for one part between slashes. Empty: every election, and what is about none."
        label="Prefix of the election"
        maxLength={500}
        onChange={(event) => change({ pattern: event.target.value })}
        spellCheck={false}
        value={draft.pattern}
      />
    </div>
  )
}

function Until({ draft, change, now }: PartProps & { now: Instant }) {
  return (
    <div>
      <p className="mb-1.5 font-semibold">For</p>
      <Segmented
        className="w-full"
        label="For how long"
        onChange={(length) => change({ length })}
        segments={LENGTHS}
        value={draft.length}
      />
      {draft.length === 'time' && (
        <Field
          autoComplete="off"
          className="mt-2"
          label="Until, UTC"
          onChange={(event) => change({ time: event.target.value })}
          placeholder={`05:30 or ${now.slice(0, 10)} 05:30`}
          value={draft.time}
        />
      )}
    </div>
  )
}

const SHOWN = 6

function Fitting({ alerts }: { alerts: readonly Alert[] }) {
  const more = alerts.length - SHOWN
  return (
    <section aria-label="What it fits now" className="border-line border-t pt-3">
      <p className="font-semibold">
        {alerts.length === 0 ? 'It fits nothing that is wrong now.' : `It fits ${count(alerts.length, 'alert')} now:`}
      </p>
      <ul className="mt-1 grid gap-1 text-sm">
        {alerts.slice(0, SHOWN).map((alert) => (
          <li className="flex min-w-0 items-center gap-2" key={alert.id}>
            <AlertMark alert={alert} />
            <span className="words min-w-0 truncate">
              {alert.subject}
              {alert.stage === 'pending' && <span className="text-t2"> · waits to fire</span>}
            </span>
          </li>
        ))}
        {more > 0 && <li className="text-t2">and {more.toLocaleString('en-US')} more</li>}
      </ul>
    </section>
  )
}
