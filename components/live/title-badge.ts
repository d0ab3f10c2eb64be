/** A count before the page's title, kept there while pages set theirs. */

/** What the title is to be. An election may be called "(2) job": only what was written here is taken off. */
export class TitleBadge {
  private base = ''
  private written: string | null = null

  /** `title`: what stands there now. 0 takes the count off. */
  titleFor(title: string, count: number): string {
    if (title !== this.written) this.base = title
    this.written = count > 0 ? `(${count}) ${this.base}`.trim() : this.base
    return this.written
  }
}

/** `countNow` is asked again by `update`, and whenever a page sets its title. */
export function keepTitle(countNow: () => number): { update: () => void; stop: () => void } {
  const badge = new TitleBadge()
  const show = (count: number) => {
    const wanted = badge.titleFor(document.title, count)
    if (document.title !== wanted) document.title = wanted
  }
  const update = () => show(countNow())
  const observer = new MutationObserver(update)
  observer.observe(document.head, { childList: true, characterData: true, subtree: true })
  update()
  return {
    update,
    stop: () => {
      observer.disconnect()
      show(0)
    },
  }
}
