import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { channelOfList, channelResource, connectedChannel, type Channel } from './channel.ts'
import { only, parts } from './parts.ts'
import { decode, googleRefusal } from './refusal.ts'
import { videoStatistics } from './statistics.ts'
import { inventedStrangers, type Strangers } from './strangers.ts'
import { authenticateToManage, authenticateToRead } from './tokens.ts'
import { privacyOf, processingOf, titleOf } from './video.ts'

/** Maximum number of ids per call. */
const MOST_IDS = 50

const ids = z
  .string()
  .min(1)
  .transform((value) => [...new Set(value.split(','))])
  .pipe(z.array(z.string()).max(MOST_IDS))
const channelParts = { part: parts(['id', 'snippet', 'contentDetails', 'statistics']) }
const channelsQuery = z.union([
  z.strictObject({ ...channelParts, mine: z.literal('true') }),
  z.strictObject({ ...channelParts, id: ids }),
  z.strictObject({ ...channelParts, forHandle: z.string().min(1) }),
  z.strictObject({ ...channelParts, forUsername: z.string().min(1) }),
])
const videosQuery = z.strictObject({ part: parts(['status', 'processingDetails', 'statistics']), id: ids })
const itemsQuery = z.strictObject({
  part: parts(['snippet', 'contentDetails']),
  playlistId: z.string().min(1),
  maxResults: z.coerce.number().int().min(0).max(50).default(5),
  pageToken: z.string().regex(/^\d+$/).optional(),
})

/** Channels, their uploads, and the processing of these. */
export function registerReads(app: FastifyInstance, deps: StandInDeps): void {
  const strangers = inventedStrangers(deps)
  const looks = new Map<string, number>()

  app.get('/youtube/v3/channels', (request, reply) => {
    const caller = authenticateToRead(request.headers.authorization, deps)
    const { part, ...filter } = decode(channelsQuery, request.query)
    return send(reply, part, caller, deps, () => {
      const items = channelsBy(filter, caller, strangers, deps).map((channel) =>
        only(channelResource(channel, part), ['kind', 'id', ...part]),
      )
      return { kind: 'youtube#channelListResponse', ...(items.length > 0 && { items }) }
    })
  })

  app.get('/youtube/v3/videos', (request, reply) => {
    const caller = authenticateToRead(request.headers.authorization, deps)
    const { part, id } = decode(videosQuery, request.query)
    const resource = (video: LedgerPost, own: boolean): object => {
      const look = (looks.get(video.id) ?? 0) + 1
      if (own && part.some((each) => each !== 'statistics')) looks.set(video.id, look)
      const statistics = videoStatistics(video, deps)
      return { kind: 'youtube#video', id: video.id, ...(own && processingOf(video, look)), statistics }
    }
    return send(reply, part, caller, deps, () => ({
      kind: 'youtube#videoListResponse',
      items: id.flatMap((each) => {
        const video = deps.ledger.post('youtube', each) ?? strangers.video(each)
        const own = video?.accountId === caller.externalId
        // Others can read a video's statistics, but not its processing state.
        const visible = own || (part.includes('statistics') && video && privacyOf(video) !== 'private')
        return video && visible ? [only(resource(video, own), ['kind', 'id', ...part])] : []
      }),
    }))
  })

  app.delete('/youtube/v3/videos', (request, reply) => {
    const { externalId } = authenticateToManage(request.headers.authorization, deps)
    const { id } = decode(z.strictObject({ id: z.string() }), request.query)
    const video = deps.ledger.post('youtube', id)
    if (!video) throw googleRefusal(404, 'videoNotFound', 'The video that you are trying to delete cannot be found.')
    if (video.accountId !== externalId) throw googleRefusal(403, 'forbidden', 'The video cannot be deleted.')
    deps.ledger.removePost('youtube', id)
    return reply.code(204).send()
  })

  app.get('/youtube/v3/playlistItems', (request, reply) => {
    const caller = authenticateToRead(request.headers.authorization, deps)
    const { part, playlistId, maxResults, pageToken = '0' } = decode(itemsQuery, request.query)
    const [channel] = channelsBy({ id: [channelOfList(playlistId)] }, caller, strangers, deps)
    const newestFirst = channel?.uploads() ?? []
    if (channel?.id !== caller.externalId && newestFirst.length === 0) {
      throw googleRefusal(404, 'playlistNotFound', 'The playlist identified with the request cannot be found.')
    }
    const end = Number(pageToken) + maxResults
    const items = newestFirst
      .slice(Number(pageToken), end)
      .map((video) => only(item(video, playlistId), ['kind', ...part]))
    const next = end < newestFirst.length && { nextPageToken: String(end) }
    return reply.send({ kind: 'youtube#playlistItemListResponse', items, ...next })
  })
}

/** The fault `metrics` applies only to calls that request statistics. */
function send(
  reply: FastifyReply,
  part: readonly string[],
  caller: LedgerAccount,
  deps: StandInDeps,
  body: () => object,
): FastifyReply | Promise<FastifyReply> {
  if (!part.includes('statistics')) return reply.send(body())
  return answer(reply, 'metrics', caller, deps, () => ({ status: 200, body: body() }))
}

type ChannelFilter =
  | { readonly mine: 'true' }
  | { readonly id: readonly string[] }
  | { readonly forHandle: string }
  | { readonly forUsername: string }

function channelsBy(
  filter: ChannelFilter,
  caller: LedgerAccount,
  strangers: Strangers,
  deps: StandInDeps,
): readonly Channel[] {
  const byId = (id: string): readonly Channel[] => {
    const account = deps.ledger.account('youtube', id)
    return listOf(account ? connectedChannel(account, caller, deps) : strangers.byId(id))
  }
  if ('mine' in filter) return byId(caller.externalId)
  if ('id' in filter) return filter.id.flatMap(byId)
  return listOf(strangers.byHandle('forHandle' in filter ? filter.forHandle : filter.forUsername))
}

function listOf<T>(found: T | undefined): readonly T[] {
  return found === undefined ? [] : [found]
}

function item(video: LedgerPost, playlistId: string): object {
  return {
    kind: 'youtube#playlistItem',
    snippet: {
      publishedAt: video.createdAt,
      channelId: video.accountId,
      title: titleOf(video),
      description: video.caption,
      playlistId,
      resourceId: { kind: 'youtube#video', videoId: video.id },
    },
    contentDetails: { videoId: video.id, videoPublishedAt: video.createdAt },
  }
}
