'use client'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** The title is for screen readers only. */
  titleHidden?: boolean
  description?: string
  className?: string
  children: ReactNode
}

/** What had the focus when it was opened: whoever works by keys goes on there. */
function useFocusBefore(open: boolean): HTMLElement | null {
  const [seen, setSeen] = useState<{ open: boolean; before: HTMLElement | null }>({ open: false, before: null })
  if (open !== seen.open) {
    const focused = open ? document.activeElement : null
    setSeen({ open, before: focused instanceof HTMLElement ? focused : seen.before })
  }
  return seen.before
}

/** A panel over everything, with the focus kept inside and Esc to leave. */
export function Dialog({ open, onOpenChange, title, titleHidden, description, className, children }: DialogProps) {
  const before = useFocusBefore(open)
  return (
    <Radix.Root onOpenChange={onOpenChange} open={open}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-50 bg-scrim" />
        <Radix.Content
          className={`fade-in -translate-x-1/2 fixed top-[10vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-32px)] max-w-[640px] flex-col overflow-hidden rounded-lg border border-line2 bg-s1 shadow-dialog outline-none ${className ?? ''}`}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (before?.isConnected) before.focus()
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className={titleHidden ? 'sr-only' : 'flex items-center gap-3 border-line border-b px-6 pt-4 pb-3.5'}>
            <Radix.Title className="font-display font-semibold text-xl">{title}</Radix.Title>
            {description !== undefined && <Radix.Description className="sr-only">{description}</Radix.Description>}
            {!titleHidden && (
              <Radix.Close
                aria-label="Close"
                className="-mr-2 ml-auto grid size-9 place-items-center rounded-md text-t2 hover:bg-s3 hover:text-t1"
              >
                <X aria-hidden="true" size={18} />
              </Radix.Close>
            )}
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
