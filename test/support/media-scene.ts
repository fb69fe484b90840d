import { readdir } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { MediaType } from '../../domain/core/platform.ts'
import { mediaSource, type MediaSpool } from '../../platforms/kit/media-spool.ts'
import type { SpooledMedia } from '../../infra/media/media.ts'
import { PlatformError } from '../../platforms/kit/platform.ts'
import type { SpoolRoom } from '../../platforms/kit/spool-room.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { client, httpServer, type Listening } from './outbound-servers.ts'

export interface Scene {
  readonly directory: string
  readonly media: MediaSpool
  readonly server: Listening
  spool(mediaType?: MediaType, maxBytes?: number, signal?: AbortSignal): Promise<SpooledMedia>
  refusal(mediaType?: MediaType, maxBytes?: number, signal?: AbortSignal): Promise<PlatformError>
}

/** A host that answers as given, and a spool that fetches from it. Refusals must leave no file and no connection. */
export async function scene(t: Test, answer: RequestListener, room?: SpoolRoom): Promise<Scene> {
  const server = await httpServer(t, answer)
  const directory = join(t.testdir(), 'spool')
  const media = mediaSource({ http: client(t), clock: systemClock, directory, ...(room && { room }) })
  const spool: Scene['spool'] = (mediaType = 'image', maxBytes = 8_000_000, signal = new AbortController().signal) =>
    media.spool(`${server.url}/media`, { mediaType, maxBytes }, signal)
  const refusal: Scene['refusal'] = async (...want) => {
    const before = await files(directory)
    const error = await refusedWith(spool(...want))
    t.same(await files(directory), before, 'no file is left')
    return error
  }
  return { directory, media, server, spool, refusal }
}

export function serving(content: Buffer): RequestListener {
  return (_request, response) => void response.writeHead(200, { 'content-length': content.length }).end(content)
}

export async function refusedWith(work: Promise<unknown>): Promise<PlatformError> {
  try {
    await work
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('expected a refusal')
}

export function files(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => [])
}
