'use client'
import type { ReactNode } from 'react'
import { Panel } from '../failovers/panel.tsx'
import { type Permission, turnSignalsOff, turnSignalsOn, useSignals } from '../live/browser-signals.ts'
import { Button } from '../ui/button.tsx'

/** What this browser does while the tab is hidden. Off until somebody asks for it. */
export function BrowserPanel() {
  const signals = useSignals()
  const isOn = signals?.isOn ?? false
  return (
    <Panel
      action={
        <Button
          aria-pressed={isOn}
          className="max-sm:h-11"
          disabled={signals === null}
          onClick={() => (isOn ? turnSignalsOff() : void turnSignalsOn())}
          size="sm"
        >
          {isOn ? 'Turn off' : 'Turn on'}
          <span className="sr-only"> what this browser tells</span>
        </Button>
      }
      title="In this browser"
    >
      <div className="min-h-[72px] border-line border-t py-2 text-sm text-t2" role="status">
        {signals !== null && (isOn ? <On permission={signals.permission} /> : <Off />)}
      </div>
    </Panel>
  )
}

const Off = () => (
  <p>
    Off. While a tab of Tenure is in the background, this browser can tell each alert that begins to fire in a
    notification, once, and show in the tab’s title how many nobody has acknowledged.
  </p>
)

const TITLE = 'While this tab is in the background its title says how many alerts nobody has acknowledged.'

function On({ permission }: { permission: Permission }): ReactNode {
  switch (permission) {
    case 'granted':
      return <p>On. {TITLE} Each alert that begins to fire is told in a notification, once.</p>
    case 'denied':
      return (
        <p>
          {TITLE}{' '}
          <span className="text-warn">
            Notifications are blocked: allow them for this address in the browser’s settings.
          </span>
        </p>
      )
    case 'unsupported':
      return <p>{TITLE} This browser shows no notifications here: they need HTTPS, or this machine’s own address.</p>
    case 'default':
      return (
        <p>
          {TITLE} Notifications wait for your answer to the browser.{' '}
          <button className="link" onClick={() => void turnSignalsOn()} type="button">
            Ask again
          </button>
        </p>
      )
  }
}
