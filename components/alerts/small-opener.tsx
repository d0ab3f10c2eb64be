import type { ComponentProps } from 'react'
import { Opener } from '../actions/opener.tsx'

/** In a row beside words: as high as they are, and no wider than it must be, on a phone too. */
export function SmallOpener(props: Omit<ComponentProps<typeof Opener>, 'className'>) {
  return (
    <span className="shrink-0">
      <Opener className="h-8! px-2.5! text-sm max-sm:h-11!" {...props} />
    </span>
  )
}
