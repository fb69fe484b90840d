import { saveFile } from '../../parts/save-file.ts'

/** Pixels of the picture for each of the page. */
const SCALE = 2
const MARGIN = 16
/** Height of the title and the legend. */
const HEAD = 48
const LINE = 20
const SWATCH = 12
const GAP = 16
const DRAWN = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
]

/** Saves a chart as it looks now, below its title and legend. @param legend names, with the classes of what they explain */
export async function savePng(
  chart: SVGSVGElement,
  file: string,
  title: string,
  legend: readonly { readonly name: string; readonly color: string }[],
): Promise<void> {
  const { width, height } = chart.getBoundingClientRect()
  const image = new Image(width, height)
  const source = new XMLSerializer().serializeToString(selfContained(chart, width, height))
  const url = URL.createObjectURL(new Blob([source], { type: 'image/svg+xml' }))
  try {
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = (width + 2 * MARGIN) * SCALE
    canvas.height = (height + 2 * MARGIN + HEAD) * SCALE
    const context = canvas.getContext('2d')
    if (!context) return
    const { backgroundColor, color, fontFamily } = getComputedStyle(chart)
    context.scale(SCALE, SCALE)
    context.fillStyle = backgroundColor
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.translate(MARGIN, MARGIN)
    context.textBaseline = 'top'
    context.fillStyle = color
    context.font = `600 14px ${fontFamily}`
    context.fillText(title, 0, 0)
    context.font = `12px ${fontFamily}`
    let left = 0
    for (const entry of legend) {
      const column = chart.querySelector(`rect.${entry.color}`)
      if (!column) continue
      context.fillStyle = getComputedStyle(column).fill
      context.fillRect(left, LINE + 4, SWATCH, SWATCH)
      context.fillStyle = color
      context.fillText(entry.name, left + SWATCH + 6, LINE + 4)
      left += SWATCH + 6 + context.measureText(entry.name).width + GAP
    }
    context.drawImage(image, 0, HEAD, width, height)
    const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (content) saveFile(file, content)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** A picture does not have the styles of the page. */
function selfContained(chart: SVGSVGElement, width: number, height: number): Node {
  const copy = chart.cloneNode(true) as SVGSVGElement
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const originals = chart.querySelectorAll('*')
  for (const [index, element] of copy.querySelectorAll('*').entries()) {
    const original = originals[index]
    if (!original) continue
    const style = getComputedStyle(original)
    for (const property of DRAWN) element.setAttribute(property, style.getPropertyValue(property))
    element.removeAttribute('class')
  }
  return copy
}
