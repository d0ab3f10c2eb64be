/** Declared gaps, widened by their slack and merged: what lies in them need not be known. */
import type { Span } from './model.ts'

export class Gaps {
  readonly spans: readonly Span[]

  constructor(declared: readonly Span[], slackMs: number) {
    const wide = declared
      .map(({ fromMs, toMs, reason }) => ({ fromMs: fromMs - slackMs, toMs: toMs + slackMs, reason }))
      .sort((a, b) => a.fromMs - b.fromMs)
    const merged: Span[] = []
    for (const span of wide) {
      const last = merged.at(-1)
      if (last === undefined || last.toMs < span.fromMs) merged.push({ ...span })
      else last.toMs = Math.max(last.toMs, span.toMs)
    }
    this.spans = merged
  }

  at(ms: number): Span | null {
    return this.spans.find(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs) ?? null
  }

  /** One gap holds all of it. */
  holds(fromMs: number, toMs: number): boolean {
    const span = this.at(fromMs)
    return span !== null && toMs <= span.toMs
  }

  near(ms: number, withinMs = 10_000): Span[] {
    return this.spans.filter(({ fromMs, toMs }) => fromMs - withinMs <= ms && ms <= toMs + withinMs)
  }
}
