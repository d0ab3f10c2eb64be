import type { ReactNode } from 'react'
import type { LaneSlot } from '../election/lane-colours.ts'

export type ColourOf = (who: { identity: string; keyBase64: string }) => LaneSlot | undefined

/** Heading of one block of a dialog, with a few words beside it. */
export function Label({ children, hint, id }: { children: ReactNode; hint?: ReactNode; id?: string }) {
  return (
    <h3 className="mb-1.5 flex flex-wrap items-baseline gap-x-2 text-base" id={id}>
      <span className="font-semibold">{children}</span>
      {hint !== undefined && <span className="text-sm text-t2">{hint}</span>}
    </h3>
  )
}
