import { Parser } from 'htmlparser2'

/** Every open element costs memory; no real text is this deep. */
const MAX_DEPTH = 500

/**
 * The first image in HTML that readers can see: no data: URI, no tracking pixel.
 *
 * @param toUrl resolves an address, or returns undefined if it is invalid
 */
export function firstImage(html: string, toUrl: (src: string) => string | undefined): string | undefined {
  if (!/<img/i.test(html)) return undefined
  let found: string | undefined
  let depth = 0
  const parser: Parser = new Parser({
    onopentag: (name, { src = '', width, height }) => {
      depth += 1
      if (name === 'img' && !isPixel(width) && !isPixel(height)) found = toUrl(src)
      if (found !== undefined || depth > MAX_DEPTH) parser.pause()
    },
    onclosetag: () => {
      depth -= 1
    },
  })
  parser.end(html)
  return found
}

function isPixel(length: string | undefined): boolean {
  return length !== undefined && /^\s*[01](\.\d*)?(px)?\s*$/.test(length)
}
