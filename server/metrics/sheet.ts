/** What one scrape says: values by metric, put together anew each time, so that what is gone leaves nothing behind. */
import type { MetricName } from './catalogue.ts'

type Labels = Readonly<Record<string, string>>

export interface SheetValue {
  value: number
  labels: Labels
  /** Labels that many values share, as one object: prom-client writes it only once. */
  sharedLabels?: Labels
}

const NONE: readonly SheetValue[] = []
const NO_LABELS: Labels = {}

export class Sheet {
  private readonly values = new Map<MetricName, SheetValue[]>()

  /** null: not known, so not said. */
  put(name: MetricName, shared: Labels, value: number | boolean | null, labels: Labels = NO_LABELS): void {
    if (value === null) return
    const entry = { value: Number(value), labels, sharedLabels: shared }
    const of = this.values.get(name)
    if (of === undefined) this.values.set(name, [entry])
    else of.push(entry)
  }

  of(name: MetricName): readonly SheetValue[] {
    return this.values.get(name) ?? NONE
  }
}
