import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { only, parts } from './parts.ts'
import { decode, GoogleRefusal } from './refusal.ts'
import { scriptIn } from './script.ts'
import { authenticate } from './tokens.ts'
import { privacyOf, titleOf } from './video.ts'

const channelsQuery = z.strictObject({ part: parts(['id', 'snippet', 'contentDetails']), mine: z.literal('true') })
const videosQuery = z.strictObject({ part: parts(['status', 'processingDetails']), id: z.string().min(1) })
const itemsQuery = z.strictObject({
  part: parts(['snippet']),
  playlistId: z.string().min(1),
  maxResults: z.coerce.number().int().min(0).max(50).default(5),
  pageToken: z.string().regex(/^\d+$/).optional(),
})

export function uploadsOf({ externalId }: LedgerAccount): string {
  return externalId.replace(/^UC/, 'UU')
}

/** What the API tells of the caller's channel, its uploads, and what becomes of them. */
export function registerReads(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger } = deps
  const looks = new Map<string, number>()

  app.get('/youtube/v3/channels', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { part } = decode(channelsQuery, request.query)
    const channel = {
      kind: 'youtube#channel',
      id: account.externalId,
      snippet: { title: account.label },
      contentDetails: { relatedPlaylists: { likes: 'LL', uploads: uploadsOf(account) } },
    }
    return reply.send({ kind: 'youtube#channelListResponse', items: [only(channel, ['kind', 'id', ...part])] })
  })

  app.get('/youtube/v3/videos', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { part, id } = decode(videosQuery, request.query)
    const found = id.split(',').flatMap((each) => {
      const video = ledger.post('youtube', each)
      if (video?.accountId !== account.externalId) return []
      const look = (looks.get(each) ?? 0) + 1
      looks.set(each, look)
      return [only({ kind: 'youtube#video', id: each, ...stateOf(video, look) }, ['kind', 'id', ...part])]
    })
    return reply.send({ kind: 'youtube#videoListResponse', items: found })
  })

  app.get('/youtube/v3/playlistItems', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { playlistId, maxResults, pageToken = '0' } = decode(itemsQuery, request.query)
    if (playlistId !== uploadsOf(account)) {
      throw new GoogleRefusal(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.')
    }
    const newestFirst = ledger.posts('youtube', { accountId: account.externalId }).toReversed()
    const end = Number(pageToken) + maxResults
    return reply.send({
      kind: 'youtube#playlistItemListResponse',
      items: newestFirst.slice(Number(pageToken), end).map((video) => ({
        kind: 'youtube#playlistItem',
        snippet: {
          publishedAt: video.createdAt,
          channelId: video.accountId,
          title: titleOf(video),
          description: video.caption,
          playlistId,
          resourceId: { kind: 'youtube#video', videoId: video.id },
        },
      })),
      ...(end < newestFirst.length && { nextPageToken: String(end) }),
    })
  })
}

function stateOf(video: LedgerPost, look: number): object {
  const { processing, failed, rejected } = scriptIn(video.caption)
  const privacyStatus = privacyOf(video)
  const state = (uploadStatus: string, processingStatus: string, reason: object = {}): object => ({
    status: { uploadStatus, privacyStatus, ...reason },
    processingDetails: { processingStatus },
  })
  if (look <= processing) return state('uploaded', 'processing')
  if (failed !== undefined) return state('failed', 'failed', { failureReason: failed })
  if (rejected !== undefined) return state('rejected', 'terminated', { rejectionReason: rejected })
  return state('processed', 'succeeded')
}
