/** What a browser complained about while a test ran. A page that "works" but breaks its own policy has failed. */
import { type BrowserContext, expect } from '@playwright/test'

export interface Journal {
  watch(context: BrowserContext): void
  /** Fails when anything was written that no page of the product may cause. */
  expectClean(): void
}

const CSP = /content security policy/i
const REACT = /Minified React error|hydrat/i

export function openJournal(): Journal {
  const entries: string[] = []
  return {
    watch: (context) => {
      context.on('weberror', (event) => entries.push(`uncaught: ${event.error().stack ?? event.error().message}`))
      context.on('dialog', (dialog) => {
        entries.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      context.on('console', (message) => {
        const text = message.text()
        if (CSP.test(text) || REACT.test(text)) entries.push(`console: ${text}`)
      })
    },
    expectClean: () => expect(entries, 'what the browser complained about').toEqual([]),
  }
}
