/** SVG as text. Whatever comes from outside passes `svgText`: it cannot end an attribute, nor begin an element. */
import { oneLine } from './markdown.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for XML and HTML, on as many lines as it has. */
export function markupText(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)
}

export function svgText(text: string): string {
  return markupText(oneLine(text))
}

type Attributes = Readonly<Record<string, string | number>>

/** Pixels to a tenth; names of attributes are ours. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const given = Object.entries(attributes).map(([key, value]) => {
    return ` ${key}="${typeof value === 'number' ? Math.round(value * 10) / 10 : svgText(value)}"`
  })
  return content === '' ? `<${name}${given.join('')}/>` : `<${name}${given.join('')}>${content}</${name}>`
}
