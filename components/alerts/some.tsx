'use client'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'

const FIRST = 60
const MORE = 200

/** The first of many, and the way to the others: a page of ten thousand lines helps nobody. */
export function Some<Item>({ all, render }: { all: readonly Item[]; render: (item: Item) => ReactNode }) {
  const [most, setMost] = useState(FIRST)
  const hidden = all.length - most
  return (
    <>
      {all.slice(0, most).map(render)}
      {hidden > 0 && (
        <Button className="mt-3 max-sm:h-11" onClick={() => setMost(most + MORE)} size="sm">
          {hidden > MORE ? `Show ${MORE} more of ${hidden.toLocaleString('en-US')}` : `Show ${hidden} more`}
        </Button>
      )}
    </>
  )
}
