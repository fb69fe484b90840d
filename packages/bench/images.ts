import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { fileSource } from '../../infra/media/byte-source.ts'
import { convertedMedia } from '../../infra/media/converted-media.ts'
import type { ConversionJob } from '../../infra/media/converter.ts'
import { conversionFor } from '../../infra/media/image-conversion.ts'
import { createImageConverter } from '../../infra/media/image-converter.ts'
import { mediaFacts } from '../../infra/media/media-facts.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { platforms } from '../../platforms/registry.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'

const PICTURES = 10
const [WIDTH, HEIGHT] = [4_032, 3_024]
const never = new AbortController().signal
const FOR = [platforms.bluesky, platforms.facebook, platforms.instagram, platforms.tiktok, platforms.x]

/** Converting photographs of 12 megapixels to what five platforms take. */
export async function benchImages(_server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
  const converter = createImageConverter({ clock: systemClock })
  try {
    const pictures = Array.from({ length: PICTURES }, (_, nth) => join(folder, `${nth}.jpg`))
    for (const path of pictures) await photograph(path)
    const jobs = (await Promise.all(pictures.map(jobsOf))).flat()
    options.progress(
      `  ${PICTURES} pictures of ${(await stat(join(folder, '0.jpg'))).size / 1e6} MB, ${jobs.length} conversions`,
    )
    const directory = join(folder, 'converted')
    const ours = converting('Fanfare', async () => {
      await rm(directory, { recursive: true, force: true })
      const converted = convertedMedia({ directory, images: converter, clock: systemClock })
      await Promise.all(
        jobs.map((job, nth) => converted.convert({ ...job, to: join(folder, `${nth}.out`) }, undefined, never)),
      )
      for (const [nth, { conversion }] of jobs.entries()) {
        const { size } = await stat(join(folder, `${nth}.out`))
        if (size > conversion.maxBytes) throw new Error(`a result has ${size} bytes instead of ${conversion.maxBytes}`)
      }
    })
    await ours.measure()
    const plain = await Promise.all((await readdir(directory)).map((name) => resultOf(directory, name)))
    options.progress(`  ${plain.length} different results`)
    const theirs = converting('sharp', () => convertPlainly(pictures, plain, folder))
    const [a = [], b = []] = await takeTurns([ours, theirs], options)
    const what = `${PICTURES} pictures of 12 MP for ${FOR.length} platforms`
    return [
      compare(what, 'pictures/s', { name: ours.name, rounds: a }, { name: theirs.name, rounds: b }, { ratio: 0.83 }),
    ]
  } finally {
    converter.close()
    await rm(folder, { recursive: true })
  }
}

/** With the grain of a camera: about 6 MB. */
async function photograph(path: string): Promise<void> {
  const grain = { type: 'gaussian', mean: 128, sigma: 10 } as const
  const picture = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#888', noise: grain } })
  await picture.jpeg({ quality: 92 }).toFile(path)
}

async function jobsOf(from: string): Promise<readonly Omit<ConversionJob, 'to'>[]> {
  const file = await open(from)
  try {
    const facts = await mediaFacts(await fileSource(file))
    return FOR.flatMap(({ takes }) => {
      const shape = takes.image?.shape && { maxBytes: takes.image.maxBytes, ...takes.image.shape }
      const conversion = shape && conversionFor(shape, facts, 'pad')
      return conversion ? [{ from, mimeType: facts.mimeType, conversion }] : []
    })
  } finally {
    await file.close()
  }
}

interface Result {
  readonly width: number
  readonly height: number
  readonly quality: number
}

/** What has to be done to get the same result, if it is known beforehand. */
async function resultOf(directory: string, name: string): Promise<Result> {
  const { width, height } = await sharp(join(directory, name)).metadata()
  return { width, height, quality: name.includes('-') ? 80 : 90 }
}

async function convertPlainly(pictures: readonly string[], results: readonly Result[], folder: string): Promise<void> {
  sharp.concurrency(1)
  sharp.cache(false)
  for (const [nth, { width, height, quality }] of results.entries()) {
    const picture = sharp(pictures[nth % pictures.length])
      .autoOrient()
      .resize(width, height)
    await picture.jpeg({ quality }).toFile(join(folder, `${nth}.plain`))
  }
}

function converting(name: string, convert: () => Promise<void>): Contender {
  return {
    name,
    measure: async () => {
      const start = performance.now()
      await convert()
      return { perSecond: (PICTURES * 1_000) / (performance.now() - start) }
    },
  }
}
