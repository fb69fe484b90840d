/** The font metrics needed to lay out text. */
export interface Font {
  /** Advance width of the character in em; `undefined` when the font lacks it. */
  advanceOf(character: string): number | undefined
}

/** All Unicode planes, as segments of consecutive glyphs (OpenType §cmap, format 12). */
const WHOLE_UNICODE = 12

/**
 * Reads a TrueType font: its characters and their widths (OpenType §cmap, §hmtx).
 *
 * @throws when the file is not a font, or has no full-Unicode table
 */
export function readFont(file: Buffer): Font {
  const [head, metricsHeader, metrics, characters] = ['head', 'hhea', 'hmtx', 'cmap'].map((tag) => table(file, tag))
  if (!head || !metricsHeader || !metrics || !characters) throw new Error('the font could not be read')
  const unitsPerEm = head.readUInt16BE(18)
  const metricCount = metricsHeader.readUInt16BE(34)
  const glyphs = glyphsOf(characters)
  return {
    advanceOf: (character) => {
      const glyph = glyphs.get(character.codePointAt(0) ?? -1)
      if (glyph === undefined) return undefined
      // The last entry applies to all glyphs after it.
      return metrics.readUInt16BE(Math.min(glyph, metricCount - 1) * 4) / unitsPerEm
    },
  }
}

/** Looks up the table directory: 16 bytes per entry, tag, checksum, offset and length. */
function table(file: Buffer, tag: string): Buffer | undefined {
  const count = file.readUInt16BE(4)
  for (let at = 12; at < 12 + count * 16; at += 16) {
    if (file.toString('latin1', at, at + 4) !== tag) continue
    const start = file.readUInt32BE(at + 8)
    return file.subarray(start, start + file.readUInt32BE(at + 12))
  }
  return undefined
}

/** Glyphs by code point. */
function glyphsOf(characters: Buffer): ReadonlyMap<number, number> {
  const count = characters.readUInt16BE(2)
  const starts = Array.from({ length: count }, (_, index) => characters.readUInt32BE(4 + index * 8 + 4))
  const start = starts.find((offset) => characters.readUInt16BE(offset) === WHOLE_UNICODE)
  if (start === undefined) throw new Error('the font has no full Unicode table')
  const glyphs = new Map<number, number>()
  const end = start + 16 + characters.readUInt32BE(start + 12) * 12
  for (let at = start + 16; at < end; at += 12) {
    const first = characters.readUInt32BE(at)
    const last = characters.readUInt32BE(at + 4)
    const glyph = characters.readUInt32BE(at + 8)
    for (let code = first; code <= last; code += 1) glyphs.set(code, glyph + code - first)
  }
  return glyphs
}
