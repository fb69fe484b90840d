import type { Readable } from 'node:stream'

const EXTENSION = 0x21
const IMAGE = 0x2c

/**
 * Whether a GIF has more than one frame (GIF89a, §17-26). X accepts a still GIF as an image, and converts an animated one
 * to a video first.
 */
export async function isAnimated(content: Readable): Promise<boolean> {
  const bytes = await bytesOf(content)
  const at = (position: number): number => bytes[position] ?? 0
  const colours = (packed: number): number => (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)
  const afterBlocks = (position: number): number => {
    while (at(position) > 0) position += at(position) + 1
    return position + 1
  }
  let pictures = 0
  for (let position = 13 + colours(at(10)); position < bytes.length;) {
    if (at(position) === EXTENSION) position = afterBlocks(position + 2)
    else if (at(position) === IMAGE) {
      pictures += 1
      if (pictures > 1) return true
      position = afterBlocks(position + 11 + colours(at(position + 9)))
    } else return false
  }
  return false
}

/** Buffering is fine: GIFs are limited to 15 MB. */
async function bytesOf(content: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
