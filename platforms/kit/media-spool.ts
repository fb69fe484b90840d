import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../infra/runtime/clock.ts'
import { deleteOldFiles } from '../../infra/runtime/old-files.ts'
import { fileSource } from '../../infra/media/byte-source.ts'
import type { Http, HttpStream } from '../../infra/http/http.ts'
import { conversionTo, MOST_CONVERTED } from '../../infra/media/conversion.ts'
import type { ConvertedMedia } from '../../infra/media/converted-media.ts'
import { mediaFacts } from '../../infra/media/media-facts.ts'
import { patchFile, positionIn } from '../../infra/media/position/position.ts'
import type { Patch } from '../../infra/media/position/region.ts'
import { startPace, type Pace } from './media-pace.ts'
import { asPlatformError, refusedByHost, tooLarge, wrongType } from './media-refusal.ts'
import type { MediaFacts, MediaSource, SpooledMedia, WantedMedia } from '../../infra/media/media.ts'
import { PlatformError } from './platform.ts'
import type { Room, SpoolRoom } from './spool-room.ts'

export interface MediaSpool extends MediaSource {
  /**
   * Deletes files left behind by a killed process, and converted media that were not used for so long.
   *
   * @param olderThanMs since the file's last change: longer than media are ever in use, if processes share the folder
   * @returns the number of deleted files
   */
  sweep(olderThanMs: number): Promise<number>
}

/** A file in the service's own media store. */
export interface OwnMedia {
  readonly bytes: number
  open(part: undefined, signal: AbortSignal): Promise<Readable>
}

export interface MediaSourceOptions {
  readonly http: Http
  readonly clock: Clock
  /** For temporary files; created if missing. */
  readonly directory: string
  /** Absent: limited only by the disk. */
  readonly room?: SpoolRoom
  /**
   * Finds the service's own media, which the outbound guard blocks when the service is on a private network: `undefined` if the
   * URL is not its own, `gone` if the file no longer exists, `incomplete` if it is still being uploaded. Absent: everything is
   * fetched.
   */
  readonly own?: (
    url: string,
    signal: AbortSignal,
    workspaceId: string | undefined,
  ) => Promise<OwnMedia | 'gone' | 'incomplete' | undefined>
  /** Absent: nothing is converted. */
  readonly converted?: ConvertedMedia | undefined
  /** Whether the position where media were taken is left in them. Default: no. */
  readonly keepsPosition?: boolean
}

const NAME = /^fanfare-[0-9a-f-]{36}\.media$/
const MAX_REDIRECTS = 3

/** Timeout for the largest allowed file at the slowest acceptable rate. */
const START_MS = 30_000
const BYTES_PER_MS = 500

export function mediaSource(options: MediaSourceOptions): MediaSpool {
  const { http, clock, directory, room, own, converted, keepsPosition = false } = options
  const fetched = async (url: string, want: WantedMedia, space: Room | undefined, signal: AbortSignal) => {
    const timeoutMs = START_MS + Math.ceil(want.maxBytes / BYTES_PER_MS)
    const headers = { accept: '*/*', 'accept-encoding': 'identity' }
    // Sizes are checked here, where the error can name them.
    const limits = { timeoutMs, maxRedirects: MAX_REDIRECTS, maxBytes: Number.MAX_SAFE_INTEGER }
    const response = await http.stream(url, { headers, signal, ...limits })
    try {
      await refuse(response, want, space, clock)
      return response.body
    } catch (error) {
      response.body.destroy()
      throw error
    }
  }
  return {
    convertsImages: converted !== undefined,
    convertsVideos: converted?.convertsVideos ?? false,
    removesPosition: !keepsPosition,
    spool: async (url, wanted, signal) => {
      const isConvertible = converted && (wanted.mediaType === 'image' || converted.convertsVideos)
      const shape = isConvertible ? wanted.shape : undefined
      const want = shape ? { ...wanted, maxBytes: Math.max(wanted.maxBytes, MOST_CONVERTED[wanted.mediaType]) } : wanted
      const path = join(directory, `fanfare-${crypto.randomUUID()}.media`)
      const pace = startPace(clock, signal)
      const space = room?.open(want.workspaceId)
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        const body = (await handedOut(own, url, want, pace.signal)) ?? (await fetched(url, want, space, pace.signal))
        try {
          const { facts, position } = await saved(body, path, want, { pace, space })
          const conversion = shape && conversionTo(shape, facts)
          if (!converted || !conversion) {
            const isChanged = position.length > 0 && !keepsPosition && !want.keepsPosition
            if (isChanged) await patchFile(path, position)
            return spooled(path, facts, space, isChanged)
          }
          pace.end()
          await space?.reserve(2 * facts.bytes)
          const job = { from: path, to: path, mimeType: facts.mimeType, conversion }
          await converted.convert(job, want.workspaceId, signal)
          return spooled(path, (await inspected(path)).facts, space, true)
        } finally {
          body.destroy()
        }
      } catch (error) {
        // A failed delete is left to the sweep: the original error must reach the caller.
        await rm(path, { force: true }).catch(() => undefined)
        space?.release()
        throw asPlatformError(signal.aborted ? givenUp(error) : (pace.failure ?? error), want.mediaType)
      } finally {
        pace.end()
      }
    },
    sweep: async (olderThanMs) => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await converted?.sweep(olderThanMs)
      const paths = (await readdir(directory)).filter((name) => NAME.test(name)).map((name) => join(directory, name))
      return deleteOldFiles(paths, clock.now() - olderThanMs)
    },
  }
}

/** Opens the service's own media from its store. Failures there are retryable: the operator can fix them. */
async function handedOut(
  own: MediaSourceOptions['own'],
  url: string,
  { mediaType, maxBytes, workspaceId }: WantedMedia,
  signal: AbortSignal,
): Promise<Readable | undefined> {
  const unreadable = (cause: unknown): never => {
    throw new PlatformError('retryable', "the media could not be read from the service's own store", { cause })
  }
  const media = await own?.(url, signal, workspaceId).catch(unreadable)
  if (media === undefined) return undefined
  if (media === 'gone') throw mediaGone()
  if (media === 'incomplete') throw new PlatformError('permanent', 'the media has not been uploaded completely')
  if (media.bytes > maxBytes) throw tooLarge(mediaType, media.bytes, maxBytes)
  return media.open(undefined, signal).catch(unreadable)
}

export function mediaGone(): PlatformError {
  return new PlatformError('permanent', 'the media is gone: this service no longer has a file at this URL')
}

function givenUp(cause: unknown): PlatformError {
  return new PlatformError('retryable', 'the media could not be fetched: cancelled by the caller', { cause })
}

/** Rejects what the response headers alone rule out. */
async function refuse(
  { status, headers }: HttpStream,
  { mediaType, maxBytes }: WantedMedia,
  space: Room | undefined,
  clock: Clock,
): Promise<void> {
  if (status !== 200) throw refusedByHost(status, headers['retry-after'], clock.now())
  const announced = Number(headers['content-length'])
  if (announced > maxBytes) throw tooLarge(mediaType, announced, maxBytes)
  if (announced > 0) await space?.reserve(announced)
}

interface Watching {
  readonly pace: Pace
  readonly space: Room | undefined
}

interface Inspected {
  readonly facts: MediaFacts
  /** What removes its position. */
  readonly position: readonly Patch[]
}

async function saved(body: Readable, path: string, want: WantedMedia, watching: Watching): Promise<Inspected> {
  await pipeline(body, counted(want, watching), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  const found = await inspected(path)
  if (found.facts.mediaType !== want.mediaType) throw wrongType(want.mediaType, found.facts)
  return found
}

async function inspected(path: string): Promise<Inspected> {
  const file = await open(path)
  try {
    const source = await fileSource(file)
    const facts = await mediaFacts(source)
    const position = await positionIn(source, facts.mimeType)
    return { facts: { ...facts, ...(position.length > 0 && { hasPosition: true }) }, position }
  } finally {
    await file.close()
  }
}

function counted(
  { mediaType, maxBytes }: WantedMedia,
  { pace, space }: Watching,
): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      pace.count(chunk.length)
      if (bytes > maxBytes) throw tooLarge(mediaType, bytes, maxBytes)
      await space?.reserve(bytes)
      yield chunk
    }
  }
}

function spooled(path: string, facts: MediaFacts, space: Room | undefined, isChanged: boolean): SpooledMedia {
  return {
    facts,
    isChanged,
    // A stream that nobody has begun to read when the file is disposed of would otherwise end the process.
    open: (range) =>
      createReadStream(path, range && { start: range.start, end: range.end - 1 }).on('error', () => undefined),
    bytes: () => readFile(path),
    dispose: async () => {
      await rm(path, { force: true })
      space?.release()
    },
  }
}
