/** A count before the page's title, kept there while pages set theirs. */

/** "(2) Elections · Tenure"; 0 takes it off. */
export function titleWith(title: string, count: number): string {
  const bare = title.replace(/^\(\d+\) /, '')
  return count > 0 ? `(${count}) ${bare}` : bare
}

/** `countNow` is asked again by `update`, and whenever a page sets its title. */
export function keepTitle(countNow: () => number): { update: () => void; stop: () => void } {
  const update = () => {
    const wanted = titleWith(document.title, countNow())
    if (document.title !== wanted) document.title = wanted
  }
  const observer = new MutationObserver(update)
  observer.observe(document.head, { childList: true, characterData: true, subtree: true })
  update()
  return {
    update,
    stop: () => {
      observer.disconnect()
      document.title = titleWith(document.title, 0)
    },
  }
}
