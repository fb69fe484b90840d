import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { extrasOf, saveExtras } from './extras.ts'
import { only, parts, type Resource } from './parts.ts'
import { decodeQuery } from './query.ts'
import { decode, googleRefusal } from './refusal.ts'
import { authenticateToChange } from './tokens.ts'
import { privacyOf, titleOf } from './video.ts'

export const ITEM_PARTS = ['id', 'snippet', 'contentDetails', 'status'] as const

const insertQuery = z.strictObject({ part: parts(ITEM_PARTS) })
const insertBody = z.object({
  snippet: z.object({
    playlistId: z.string().min(1),
    resourceId: z.object({ kind: z.literal('youtube#video'), videoId: z.string().min(1) }),
    position: z.int().nonnegative().optional(),
  }),
})
const REASONS = {
  'snippet.playlistId': 'playlistIdRequired',
  'snippet.resourceId': 'resourceIdRequired',
  'snippet.resourceId.kind': 'invalidResourceType',
  'snippet.position': 'invalidPlaylistItemPosition',
}

/** An entry of a playlist. */
export interface Entry {
  readonly id: string
  readonly addedAt: string
  readonly video: LedgerPost
}

/** `POST .../playlistItems`, which adds a video as often as it is called. */
export function registerPlaylists(app: FastifyInstance, deps: StandInDeps): void {
  app.post('/youtube/v3/playlistItems', (request, reply) => {
    const caller = authenticateToChange(request.headers.authorization, deps)
    const { part } = decodeQuery(insertQuery, request.query)
    const { playlistId, resourceId } = decode(insertBody, request.body, REASONS, 'invalidSnippet').snippet
    if (!isOwnPlaylist(playlistId)) {
      throw playlistId.startsWith('UU')
        ? googleRefusal(
            400,
            'playlistOperationUnsupported',
            'The API does not support the ability to insert videos into the specified playlist.',
          )
        : noPlaylist()
    }
    const video = deps.ledger.post('youtube', resourceId.videoId)
    if (!video) throw googleRefusal(404, 'videoNotFound', 'Video not found.')
    const entry = { id: playlistId, item: deps.ids.token(), addedAt: isoTime(deps.clock.now()) }
    saveExtras(video, { playlists: [...extrasOf(video, deps).playlists, entry] }, deps)
    const resource = itemResource({ id: entry.item, addedAt: entry.addedAt, video }, playlistId, caller)
    return reply.send(only(resource, part))
  })
}

/** Playlists cannot be made here: each ID that begins with PL is one of the caller's, except those that begin with PLnone. */
export function isOwnPlaylist(playlistId: string): boolean {
  return /^PL(?!none)/.test(playlistId)
}

export function noPlaylist() {
  return googleRefusal(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.')
}

/** In the order in which they were added. */
export function entriesOf(playlistId: string, { externalId }: LedgerAccount, deps: StandInDeps): readonly Entry[] {
  const entries = deps.ledger
    .posts('youtube', { accountId: externalId })
    .flatMap((video) =>
      extrasOf(video, deps).playlists.flatMap(({ id, item, addedAt }) =>
        id === playlistId ? [{ id: item, addedAt, video }] : [],
      ),
    )
  return entries.toSorted((a, b) => a.addedAt.localeCompare(b.addedAt))
}

export function itemResource(
  { id, addedAt, video }: Entry,
  playlistId: string,
  owner: { readonly externalId: string },
): Resource {
  return {
    kind: 'youtube#playlistItem',
    id,
    snippet: {
      publishedAt: addedAt,
      channelId: owner.externalId,
      title: titleOf(video),
      description: video.caption,
      playlistId,
      resourceId: { kind: 'youtube#video', videoId: video.id },
    },
    contentDetails: { videoId: video.id, videoPublishedAt: video.createdAt },
    status: { privacyStatus: privacyOf(video) },
  }
}
