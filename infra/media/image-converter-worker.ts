import { readFile, stat, writeFile } from 'node:fs/promises'
import decodeHeic from 'heic-decode'
import sharp, { type Sharp } from 'sharp'
import type { Converted, ConversionJob } from './converter.ts'
import { CONVERTED_MAX_PIXELS, type Conversion } from './image-conversion.ts'
import type { ConversionAnswer } from './image-converter.ts'

/*
 * Entry point of the process that converts images: answers each ConversionJob with a ConversionAnswer. A process of its own, because a damaged
 * image may crash the decoder or take its memory.
 */

/** Qualities of JPEGs: the first one, those that are tried next, and that of one that is scaled down. */
const [BEST, LOWER, OF_SMALLER] = [90, [80, 70], 80]
/** How many times as large the best one usually is as one of the lowest quality, and as a scaled one with as many pixels. */
const [LOWER_SAVES, SMALLER_SAVES] = [2.2, 1.5]
/** Of both sides, from one try to the next. */
const SHRINK = 0.9
const LEAST_SIDE = 16

sharp.cache(false)
sharp.concurrency(1)
process.on('message', (job: ConversionJob<Conversion>) => {
  void converted(job).then(answer, (error: unknown) => answer({ error: wordsOf(error) }))
})

function answer(message: ConversionAnswer): void {
  process.send?.(message)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

async function converted({ from, to, mimeType, conversion }: ConversionJob<Conversion>): Promise<Converted> {
  const { size, maxBytes } = conversion
  // JPEG has no transparency.
  const background = { r: 255, g: 255, b: 255 }
  const image = await decoded(from, mimeType).catch(damaged)
  const begun = mimeType === 'image/jpeg' && !size ? scaleFor(maxBytes, (await stat(from)).size) : 1
  const whole = image.autoOrient().flatten({ background }).toColourspace('srgb')
  const shaped = size
    ? whole.resize({ ...size, fit: size.by === 'pad' ? 'contain' : 'cover', background })
    : begun < 1
      ? whole.resize(Math.round((await image.metadata().catch(damaged)).autoOrient.width * begun))
      : whole
  // Decoded and encoded at the same time, because the first try is usually the last.
  const first = shaped.clone().jpeg({ quality: begun < 1 ? OF_SMALLER : BEST })
  const best = await first.toBuffer().catch(damaged)
  if (best.length <= maxBytes) return written(to, best, begun < 1)
  // Uncompressed, so that further tries need not decode the image again.
  const { data, info } = await shaped.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const pixels = () => sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
  for (const quality of best.length <= LOWER_SAVES * maxBytes && begun === 1 ? LOWER : []) {
    const bytes = await pixels().jpeg({ quality }).toBuffer()
    if (bytes.length <= maxBytes) return written(to, bytes, true)
  }
  let scale = begun < 1 ? SHRINK : Math.min(SHRINK, scaleFor(maxBytes, best.length))
  for (; Math.min(width, height) * scale >= LEAST_SIDE; scale *= SHRINK) {
    const smaller = pixels().resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' })
    const bytes = await smaller.jpeg({ quality: OF_SMALLER }).toBuffer()
    if (bytes.length <= maxBytes) return written(to, bytes, true)
  }
  throw new Error(`it cannot be made smaller than ${maxBytes} bytes`)
}

function damaged(error: unknown): never {
  throw new Error(`it is damaged, or of a kind that cannot be read (${wordsOf(error)})`)
}

/** How much smaller the sides of an image must be for its JPEG to have so many bytes; 1 if a lower quality may be enough. */
function scaleFor(maxBytes: number, bytes: number): number {
  return bytes > LOWER_SAVES * maxBytes ? Math.sqrt((maxBytes * SMALLER_SAVES) / bytes) : 1
}

async function written(to: string, bytes: Buffer, isReduced: boolean): Promise<Converted> {
  await writeFile(to, bytes, { mode: 0o600 })
  return { isReduced }
}

/** The first picture of the file. */
async function decoded(path: string, mimeType: string): Promise<Sharp> {
  if (!/^image\/hei[cf]/.test(mimeType)) return sharp(path, { limitInputPixels: CONVERTED_MAX_PIXELS, failOn: 'error' })
  // The build of sharp's decoder lacks HEVC, for its patents.
  const { width, height, data } = await decodeHeic({ buffer: await readFile(path) })
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: CONVERTED_MAX_PIXELS })
}
