'use client'
import { useSyncExternalStore } from 'react'
import type { LiveStore } from '../live/live-store.ts'
import { useLiveStore } from '../live/use-live.ts'
import type { Row } from './list-model.ts'
import { RowsFeed } from './rows-feed.ts'

const feeds = new WeakMap<LiveStore, RowsFeed>()
const EMPTY: readonly Row[] = []

export function useRowsFeed(): RowsFeed {
  const store = useLiveStore()
  const feed = feeds.get(store) ?? new RowsFeed(store)
  feeds.set(store, feed)
  return feed
}

/** Rows of every election, in no order; a new array when any of them changed. */
export function useRows(): readonly Row[] {
  const feed = useRowsFeed()
  return useSyncExternalStore(
    feed.subscribe,
    () => feed.rows,
    () => EMPTY,
  )
}

/** Whether a snapshot has come: before it nothing is known, not even that there is nothing. */
export function useRowsReady(): boolean {
  const feed = useRowsFeed()
  return useSyncExternalStore(
    feed.subscribe,
    () => feed.ready,
    () => false,
  )
}
