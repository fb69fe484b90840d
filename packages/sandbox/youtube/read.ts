import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { channelOfList, channelResource, connectedChannel, type Channel } from './channel.ts'
import { decodeUpdate } from './metadata.ts'
import { listed, listing, only, parts } from './parts.ts'
import { entriesOf, isOwnPlaylist, ITEM_PARTS, itemResource, noPlaylist, type Entry } from './playlists.ts'
import { decodeQuery } from './query.ts'
import { googleRefusal } from './refusal.ts'
import { videoStatistics } from './statistics.ts'
import { inventedStrangers, type Strangers } from './strangers.ts'
import { authenticateToChange, authenticateToRead } from './tokens.ts'
import { privacyOf, VIDEO_PARTS, videoResource, withSnippet } from './video.ts'

/** Maximum number of ids per call. */
const MOST_IDS = 50

/** The maximum that applies to one page of channels. */
const CHANNELS_PER_PAGE = 5

const ids = listed.transform((given) => [...new Set(given)]).pipe(z.array(z.string().min(1)).max(MOST_IDS))
const CHANNEL_FILTERS = ['mine', 'id', 'forHandle', 'forUsername'] as const
const channelsQuery = z.strictObject({
  part: parts([
    ...(['auditDetails', 'brandingSettings', 'contentDetails', 'contentOwnerDetails', 'id', 'localizations'] as const),
    ...(['snippet', 'statistics', 'status', 'topicDetails'] as const),
  ]),
  mine: z.literal('true').optional(),
  id: ids.optional(),
  forHandle: z.string().min(1).optional(),
  forUsername: z.string().min(1).optional(),
  maxResults: z.coerce.number().int().min(0).max(50).default(CHANNELS_PER_PAGE),
})
const videosQuery = z.strictObject({ part: parts(VIDEO_PARTS), id: ids.optional() })
const itemsQuery = z.strictObject({
  part: parts(ITEM_PARTS),
  playlistId: z.string().min(1),
  videoId: z.string().min(1).optional(),
  maxResults: z.coerce.number().int().min(0).max(50).default(5),
  pageToken: z.string().regex(/^\d+$/).optional(),
})

/** Channels, their uploads, and the processing of these. */
export function registerReads(app: FastifyInstance, deps: StandInDeps): void {
  const strangers = inventedStrangers(deps)
  const looks = new Map<string, number>()

  app.get('/youtube/v3/channels', (request, reply) => {
    const caller = authenticateToRead(request.headers.authorization, deps)
    const { part, maxResults: resultsPerPage, ...filter } = decodeQuery(channelsQuery, request.query, CHANNEL_FILTERS)
    return send(reply, part, caller, deps, () => {
      const items = channelsBy(filter, caller, strangers, deps).map((channel) => only(channelResource(channel), part))
      const list = listing('youtube#channelListResponse', items, { resultsPerPage })
      return items.length > 0 ? list : { ...list, items: undefined }
    })
  })

  app.get('/youtube/v3/videos', (request, reply) => {
    const caller = authenticateToRead(request.headers.authorization, deps)
    const { part, id = [] } = decodeQuery(videosQuery, request.query, ['id'])
    const visible = id.flatMap((each) => {
      const video = deps.ledger.post('youtube', each) ?? strangers.video(each)
      return video && (video.accountId === caller.externalId || privacyOf(video) !== 'private') ? [video] : []
    })
    if (part.includes('processingDetails') && visible.some(({ accountId }) => accountId !== caller.externalId)) {
      throw googleRefusal(403, 'forbidden', 'The request cannot access the processing details of the video.')
    }
    return send(reply, part, caller, deps, () =>
      listing(
        'youtube#videoListResponse',
        visible.map((video) => {
          const own = video.accountId === caller.externalId
          const look = own ? (looks.get(video.id) ?? 0) + 1 : Infinity
          if (part.includes('status') || part.includes('processingDetails')) looks.set(video.id, look)
          return only({ ...videoResource(video, look), statistics: videoStatistics(video, deps) }, part)
        }),
      ),
    )
  })

  app.put('/youtube/v3/videos', (request, reply) => {
    const caller = authenticateToChange(request.headers.authorization, deps)
    decodeQuery(z.strictObject({ part: z.literal('snippet') }), request.query)
    const { id, snippet } = decodeUpdate(request.body)
    const video = deps.ledger.post('youtube', id)
    if (!video) throw googleRefusal(404, 'videoNotFound', 'The video that you are trying to update cannot be found.')
    if (video.accountId !== caller.externalId) throw googleRefusal(403, 'forbidden', 'The video cannot be updated.')
    return answer(reply, 'edit', caller, deps, () => {
      const edited = withSnippet(video, snippet)
      deps.ledger.replacePost(edited)
      return { status: 200, body: only(videoResource(edited), ['id', 'snippet']) }
    })
  })

  app.delete('/youtube/v3/videos', (request, reply) => {
    const { externalId } = authenticateToChange(request.headers.authorization, deps)
    const { id } = decodeQuery(z.strictObject({ id: z.string() }), request.query)
    const video = deps.ledger.post('youtube', id)
    if (!video) throw googleRefusal(404, 'videoNotFound', 'The video that you are trying to delete cannot be found.')
    if (video.accountId !== externalId) throw googleRefusal(403, 'forbidden', 'The video cannot be deleted.')
    deps.ledger.removePost('youtube', id)
    return reply.code(204).send()
  })

  app.get('/youtube/v3/playlistItems', (request, reply) => {
    const caller = authenticateToRead(request.headers.authorization, deps)
    const { part, playlistId, videoId, maxResults, pageToken = '0' } = decodeQuery(itemsQuery, request.query)
    const all = isOwnPlaylist(playlistId) ? entriesOf(playlistId, caller, deps) : uploadsOf(playlistId, caller)
    const entries = all.filter(({ video }) => videoId === undefined || video.id === videoId)
    const end = Number(pageToken) + maxResults
    const items = entries
      .slice(Number(pageToken), end)
      .map((entry) => only(itemResource(entry, playlistId, { externalId: entry.video.accountId }), part))
    const next = end < entries.length ? String(end) : undefined
    const page = { totalResults: entries.length, resultsPerPage: maxResults, next }
    return reply.send(listing('youtube#playlistItemListResponse', items, page))
  })

  /** Newest first. */
  const uploadsOf = (playlistId: string, caller: LedgerAccount): readonly Entry[] => {
    const [channel] = channelsBy({ id: [channelOfList(playlistId)] }, caller, strangers, deps)
    const uploads = channel?.uploads() ?? []
    if (channel?.id !== caller.externalId && uploads.length === 0) throw noPlaylist()
    return uploads.map((video) => {
      const id = Buffer.from(`${playlistId}.${video.id}`).toString('base64url')
      return { id, addedAt: video.createdAt, video }
    })
  }
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

function channelsBy(
  { mine, id, forHandle, forUsername = '' }: Partial<Omit<z.infer<typeof channelsQuery>, 'part' | 'maxResults'>>,
  caller: LedgerAccount,
  strangers: Strangers,
  deps: StandInDeps,
): readonly Channel[] {
  const byId = (id: string): readonly Channel[] => {
    const account = deps.ledger.account('youtube', id)
    return listOf(account ? connectedChannel(account, caller, deps) : strangers.byId(id))
  }
  if (mine) return byId(caller.externalId)
  if (id) return id.flatMap(byId)
  return listOf(strangers.byHandle(forHandle ?? forUsername))
}

function listOf<T>(found: T | undefined): readonly T[] {
  return found === undefined ? [] : [found]
}
