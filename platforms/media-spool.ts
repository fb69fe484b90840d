import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MediaType } from '../domain/platform.ts'
import type { Clock } from '../system/clock.ts'
import { fileSource } from './byte-source.ts'
import type { Http, HttpStream } from './http.ts'
import { mediaFacts } from './media-facts.ts'
import { asPlatformError, refusedByHost, tooLarge, wrongType } from './media-refusal.ts'
import type { MediaFacts, MediaSource, SpooledMedia } from './media.ts'

export interface MediaSpool extends MediaSource {
  /**
   * Deletes what a killed process left behind.
   *
   * @param olderThanMs since the file's last change: longer than media are ever in use, where processes share the folder
   * @returns how many files
   */
  sweep(olderThanMs: number): Promise<number>
}

interface Want {
  readonly mediaType: MediaType
  readonly maxBytes: number
}

const NAME = /^fanfare-[0-9a-f-]{36}\.media$/
const MAX_REDIRECTS = 3

/** Time for the largest file allowed, at the slowest rate worth waiting for. */
const START_MS = 30_000
const BYTES_PER_MS = 500

/** @param options.directory for the temporary files; made when it isn't there */
export function mediaSource(options: { http: Http; clock: Clock; directory: string }): MediaSpool {
  const { http, clock, directory } = options
  const fetched = async (url: string, { maxBytes }: Want, signal: AbortSignal): Promise<HttpStream> => {
    const timeoutMs = START_MS + Math.ceil(maxBytes / BYTES_PER_MS)
    const headers = { accept: '*/*', 'accept-encoding': 'identity' }
    // Sizes are judged here, where the refusal can name them.
    const limits = { timeoutMs, maxRedirects: MAX_REDIRECTS, maxBytes: Number.MAX_SAFE_INTEGER }
    return http.stream(url, { headers, signal, ...limits })
  }
  return {
    spool: async (url, want, signal) => {
      const path = join(directory, `fanfare-${crypto.randomUUID()}.media`)
      try {
        const response = await fetched(url, want, signal)
        try {
          refuse(response, want, clock)
          await mkdir(directory, { recursive: true, mode: 0o700 })
          return spooled(path, await saved(response, path, want))
        } finally {
          response.body.destroy()
        }
      } catch (error) {
        // What can't be deleted now is swept later; the caller is told of the fault that came first.
        await rm(path, { force: true }).catch(() => undefined)
        throw asPlatformError(error, want.mediaType)
      }
    },
    sweep: async (olderThanMs) => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const paths = (await readdir(directory)).filter((name) => NAME.test(name)).map((name) => join(directory, name))
      const swept = await Promise.all(paths.map((path) => sweptAway(path, clock.now() - olderThanMs)))
      return swept.filter((gone) => gone).length
    },
  }
}

/** What the answer's head alone rules out. */
function refuse({ status, headers }: HttpStream, { mediaType, maxBytes }: Want, clock: Clock): void {
  if (status !== 200) throw refusedByHost(status, headers['retry-after'], clock.now())
  const announced = Number(headers['content-length'])
  if (announced > maxBytes) throw tooLarge(mediaType, announced, maxBytes)
}

async function saved({ body }: HttpStream, path: string, want: Want): Promise<MediaFacts> {
  await pipeline(body, counted(want), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  const file = await open(path)
  try {
    const facts = await mediaFacts(await fileSource(file))
    if (facts.mediaType !== want.mediaType) throw wrongType(want.mediaType, facts)
    return facts
  } finally {
    await file.close()
  }
}

function counted({ mediaType, maxBytes }: Want): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(mediaType, bytes, maxBytes)
      yield chunk
    }
  }
}

function spooled(path: string, facts: MediaFacts): SpooledMedia {
  return {
    facts,
    open: (range) => createReadStream(path, range && { start: range.start, end: range.end - 1 }),
    bytes: () => readFile(path),
    dispose: () => rm(path, { force: true }),
  }
}

async function sweptAway(path: string, before: number): Promise<boolean> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
  if (mtimeMs > before) return false
  await rm(path, { force: true })
  return true
}
