/** Reads an exposition back, for tests. */

export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

const LABEL = /([a-zA-Z_]\w*)="((?:\\.|[^"\\])*)"/g
const unescaped = (text: string) => text.replace(/\\(.)/g, (_, next: string) => (next === 'n' ? '\n' : next))

/** Throws on a line that is none. */
export function readSeries(body: string): Series[] {
  return body
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const parts = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:\\.|[^"\\])*",?)*)\})? (\S+)$/.exec(line)
      if (parts === null) throw new Error(`no line of an exposition: ${JSON.stringify(line)}`)
      const [, name = '', labels = '', value = ''] = parts
      const found = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, unescaped(text)])
      return { name, labels: Object.fromEntries(found), value: value === '+Inf' ? Infinity : Number(value) }
    })
}

/** The names that it declares. */
export const namesIn = (body: string): string[] => [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)

/** The value of the one series that has these labels; undefined where there is none. */
export function readValue(body: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const found = readSeries(body).filter(
    (series) =>
      series.name === name && Object.entries(labels).every(([label, value]) => series.labels[label] === value),
  )
  if (found.length > 1) throw new Error(`${found.length} series of ${name} have ${JSON.stringify(labels)}`)
  return found[0]?.value
}
