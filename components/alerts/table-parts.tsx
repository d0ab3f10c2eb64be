/** What the page's tables share. */
import { Button } from '../ui/button.tsx'

export const CELL = 'border-line border-t py-1.5 pr-3 align-top'

export function Head({ children, className = '' }: { children: string; className?: string }) {
  return (
    <th className={`py-1 pr-3 align-bottom font-medium text-t3 text-xs ${className}`} scope="col">
      {children}
    </th>
  )
}

interface Pages {
  isPending: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** The way to older rows; a dash while the first are read. */
export function Older({ pages, what }: { pages: Pages; what: string }) {
  if (pages.isPending) {
    return (
      <p className="border-line border-t py-2 text-t3" role="status">
        –
      </p>
    )
  }
  if (!pages.hasNextPage) return null
  return (
    <Button
      className="mt-3 max-sm:h-11"
      disabled={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
      size="sm"
    >
      {pages.isFetchingNextPage ? `Reading older ${what}` : `Show older ${what}`}
    </Button>
  )
}
