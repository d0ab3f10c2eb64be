/** A drawn chart as an SVG document that stands alone: colours and fonts as they were computed, nothing from elsewhere. */

const SVG = 'http://www.w3.org/2000/svg'
const TITLE_PX = 34
const PAD_PX = 12
const LETTER_PX = 6.4
const BASELINE_PX = 13

const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'paint-order',
] as const
const FONTS = ['font-family', 'font-size', 'font-weight', 'text-anchor'] as const
const KEPT = new Set(
  'd x y x1 x2 y1 y2 dx dy cx cy r rx ry width height points transform clip-path id patternUnits patternTransform clipPathUnits viewBox'.split(
    ' ',
  ),
)

/** Panels of one figure, and the axis of time that they share with others where it is drawn apart. */
export interface Drawn {
  chart: HTMLElement
  axis: SVGSVGElement | null
  title: string
}

export function chartSvg({ chart, axis, title }: Drawn): SVGSVGElement {
  const frame = chart.getBoundingClientRect()
  const axisPx = axis?.getBoundingClientRect().height ?? 0
  const width = Math.ceil(frame.width) + 2 * PAD_PX
  const height = Math.ceil(frame.height + axisPx) + TITLE_PX + 2 * PAD_PX
  const root = made('svg', { width, height, viewBox: `0 0 ${width} ${height}` })
  root.setAttribute('xmlns', SVG)
  const ground = getComputedStyle(document.body).getPropertyValue('--bg').trim() || '#ffffff'
  const { color, fontFamily } = getComputedStyle(chart)
  const heading = made('text', { x: PAD_PX, y: PAD_PX + BASELINE_PX, fill: color, 'font-family': fontFamily })
  heading.setAttribute('font-size', '12px')
  heading.setAttribute('font-weight', '600')
  heading.textContent = title
  const name = made('title', {})
  name.textContent = title
  root.append(name, made('rect', { width, height, fill: ground }), heading)
  for (const svg of outermost(chart)) root.append(placed(svg, frame, PAD_PX + TITLE_PX))
  if (axis !== null) {
    const { top } = axis.getBoundingClientRect()
    root.append(placed(axis, { left: frame.left, top }, PAD_PX + TITLE_PX + frame.height))
  }
  root.prepend(patterns(root))
  return root as SVGSVGElement
}

function made(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

const outermost = (chart: HTMLElement) =>
  [...chart.querySelectorAll('svg')].filter(
    (svg) => svg.parentElement?.closest('svg') == null && !svg.hasAttribute('data-screen-only'),
  )

function placed(svg: SVGSVGElement, frame: { left: number; top: number }, below: number): SVGElement {
  const { left, top } = svg.getBoundingClientRect()
  const group = made('g', { transform: `translate(${left - frame.left + PAD_PX} ${top - frame.top + below})` })
  for (const child of svg.children) group.append(...copied(child))
  return group
}

/** What is not drawn is left out; a label in HTML becomes text. */
function copied(source: Element): Element[] {
  if (source instanceof SVGForeignObjectElement) return [labelOf(source)]
  if (!(source instanceof SVGElement) || ['title', 'desc', 'style', 'script'].includes(source.tagName)) return []
  // "now" is true on a screen and in no file.
  if (source.hasAttribute('data-screen-only')) return []
  const copy = document.createElementNS(SVG, source.tagName)
  for (const { name, value } of source.attributes) if (KEPT.has(name)) copy.setAttribute(name, value)
  const style = getComputedStyle(source)
  for (const look of LOOKS) copy.setAttribute(look, patternOr(source.getAttribute(look), style.getPropertyValue(look)))
  if (source instanceof SVGTextContentElement) {
    for (const font of FONTS) copy.setAttribute(font, style.getPropertyValue(font))
    if (source.children.length === 0) copy.textContent = source.textContent
  }
  for (const child of source.children) copy.append(...copied(child))
  return [copy]
}

/** A computed `url()` may name the whole page: inside a file the pattern is its own. */
const patternOr = (given: string | null, computed: string) => (given?.startsWith('url(') ? given : computed)

function labelOf(source: SVGForeignObjectElement): SVGElement {
  const [x, y, width] = ['x', 'y', 'width'].map((name) => Number(source.getAttribute(name)))
  const { color, fontFamily, fontSize } = getComputedStyle(source.firstElementChild ?? source)
  const text = made('text', { x: x ?? 0, y: (y ?? 0) + BASELINE_PX, fill: color, 'font-family': fontFamily })
  text.setAttribute('font-size', fontSize)
  const letters = Math.floor((width ?? 0) / LETTER_PX)
  const words = (source.textContent ?? '').trim()
  text.textContent = words.length <= letters ? words : `${words.slice(0, Math.max(0, letters - 1))}…`
  return text
}

/** Hatches lie once on the page, beside its charts. */
function patterns(root: SVGElement): SVGElement {
  const defs = made('defs', {})
  const used = [...root.querySelectorAll('*')].flatMap((each) =>
    [...each.attributes].flatMap(({ value }) => /^url\(["']?#([^"')]+)/.exec(value)?.[1] ?? []),
  )
  for (const id of new Set(used)) {
    const pattern = document.getElementById(id)
    if (root.querySelector(`[id="${CSS.escape(id)}"]`) === null && pattern !== null) defs.append(...copied(pattern))
  }
  return defs
}

export const svgSource = (svg: SVGSVGElement) => new XMLSerializer().serializeToString(svg)

const PNG_SCALE = 2

/** The same in pixels, two for one. */
export async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgSource(svg))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Number(svg.getAttribute('width')) * PNG_SCALE
  canvas.height = Number(svg.getAttribute('height')) * PNG_SCALE
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('the browser made no picture')) : resolve(blob)),
      'image/png',
    )
  })
}
