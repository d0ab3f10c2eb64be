/** Metrics of prom-client whose values are taken from the sheet of the scrape instead of being kept. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { CATALOGUE, KEPT, type MetricName } from './catalogue.ts'
import type { SheetValue } from './sheet.ts'

type Values = (name: MetricName) => readonly SheetValue[]

class SheetGauge extends Gauge<string> {
  private readonly values: () => readonly SheetValue[]

  constructor(name: MetricName, values: Values, registers: Registry[]) {
    super({ name, help: CATALOGUE[name].help, labelNames: [...CATALOGUE[name].labels], registers })
    this.values = () => values(name)
  }

  override async get() {
    return { ...(await super.get()), values: [...this.values()] }
  }
}

class SheetCounter extends Counter<string> {
  private readonly values: () => readonly SheetValue[]

  constructor(name: MetricName, values: Values, registers: Registry[]) {
    super({ name, help: CATALOGUE[name].help, labelNames: [...CATALOGUE[name].labels], registers })
    this.values = () => values(name)
  }

  override async get() {
    return { ...(await super.get()), values: [...this.values()] }
  }
}

/** Registers one metric for each of the catalogue's that the scrape fills. */
export function collectFromSheet(registry: Registry, values: Values): void {
  for (const name of Object.keys(CATALOGUE) as MetricName[]) {
    if (KEPT.has(name)) continue
    if (CATALOGUE[name].type === 'gauge') new SheetGauge(name, values, [registry])
    else new SheetCounter(name, values, [registry])
  }
}
