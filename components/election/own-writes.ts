/** Tells what we wrote into the address from what others put there: our own comes back later, perhaps after the next key. */
export interface SeenAddress {
  search: string
  /** Written and not come back yet, oldest first. */
  awaited: readonly string[]
}

export function withWrite(seen: SeenAddress, search: string): SeenAddress {
  return { ...seen, awaited: [...seen.awaited, search] }
}

/** The address is `search` now: an awaited one brings all before it, anything else is somebody else's. */
export function arrived(seen: SeenAddress, search: string): { seen: SeenAddress; isOwn: boolean } {
  const at = seen.awaited.indexOf(search)
  return { seen: { search, awaited: at < 0 ? [] : seen.awaited.slice(at + 1) }, isOwn: at >= 0 }
}
