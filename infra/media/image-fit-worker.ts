import { readFile, writeFile } from 'node:fs/promises'
import decodeHeic from 'heic-decode'
import sharp, { type Sharp } from 'sharp'
import { FIT_MAX_PIXELS } from './image-fit.ts'
import type { FitAnswer, Fitted, FitJob } from './image-fitter.ts'

/*
 * Entry point of the process that converts images: answers each FitJob with a FitAnswer. A process of its own, because a damaged
 * image may crash the decoder or take its memory.
 */

const QUALITIES = [90, 80, 70]
/** Of both sides, from one try to the next. */
const SHRINK = 0.8
const LEAST_SIDE = 16

sharp.cache(false)
sharp.concurrency(1)
process.on('message', (job: FitJob) => {
  void converted(job).then(answer, (error: unknown) => answer({ error: wordsOf(error) }))
})

function answer(message: FitAnswer): void {
  process.send?.(message)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

async function converted({ from, to, mimeType, fit }: FitJob): Promise<Fitted> {
  // JPEG has no transparency.
  const background = { r: 255, g: 255, b: 255 }
  const whole = (await decoded(from, mimeType)).autoOrient().flatten({ background }).toColourspace('srgb')
  const { size } = fit
  const fitted = size ? whole.resize({ ...size, fit: size.by === 'pad' ? 'contain' : 'cover', background }) : whole
  // Uncompressed, so that further tries need not decode the image again.
  const { data, info } = await fitted.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const pixels = () => sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
  for (const quality of QUALITIES) {
    const bytes = await pixels().jpeg({ quality }).toBuffer()
    if (bytes.length <= fit.maxBytes) return written(to, bytes, quality !== QUALITIES[0])
  }
  for (let scale = SHRINK; Math.min(width, height) * scale >= LEAST_SIDE; scale *= SHRINK) {
    const smaller = pixels().resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill' })
    const bytes = await smaller.jpeg({ quality: 80 }).toBuffer()
    if (bytes.length <= fit.maxBytes) return written(to, bytes, true)
  }
  throw new Error(`it cannot be made smaller than ${fit.maxBytes} bytes`)
}

async function written(to: string, bytes: Buffer, isReduced: boolean): Promise<Fitted> {
  await writeFile(to, bytes, { mode: 0o600 })
  return { isReduced }
}

/** The first picture of the file. */
async function decoded(path: string, mimeType: string): Promise<Sharp> {
  if (!/^image\/hei[cf]/.test(mimeType)) return sharp(path, { limitInputPixels: FIT_MAX_PIXELS, failOn: 'error' })
  // The build of sharp's decoder lacks HEVC, for its patents.
  const { width, height, data } = await decodeHeic({ buffer: await readFile(path) })
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: FIT_MAX_PIXELS })
}
