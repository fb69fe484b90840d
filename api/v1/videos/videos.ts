import * as z from 'zod'
import { credits } from '../../../domain/video/credits.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { text } from '../../../domain/core/text.ts'
import { planVideo, priceOf } from '../../../domain/video/video-plan.ts'
import { video } from '../../../domain/video/video.ts'
import type { VideoSettings } from '../../../domain/video/video-events.ts'
import { load } from '../../../commands/handle.ts'
import { orderVideo } from '../../../commands/order-video.ts'
import { deleteVideo, draftVideo } from '../../../commands/video.ts'
import { newestFirst } from '../../../projections/engine/newest-first.ts'
import { findVideo, videos, type VideoRow } from '../../../projections/models/videos.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { causeOf } from '../../http/cause.ts'
import { decider } from '../../kit/decide.ts'
import { atQuery } from '../history/history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import { withinBudgets } from '../../kit/within-budgets.ts'
import type { Services, VideoServices } from '../../kit/services.ts'
import { presentVideo } from './present-video.ts'
import { requestedSchema, requestVideoBody, videoSchema } from './video-schemas.ts'

const TAG = 'Videos'
const ONE = '/videos/{id}'
const params = z.object({ id: text(100) })

/** Videos made from prompts and uploads (api-spec §4, Videos; decisions, "Videos and credits"). */
export function videoRoutes(services: Services): readonly AnyRoute[] {
  const { db, log, seen } = services
  const decide = decider(services, video)
  const own = async (id: string, caller: Caller): Promise<VideoRow> => owned(await findVideo(db, id), caller, 'video')

  return [
    route({
      method: 'POST',
      path: '/videos',
      operationId: 'requestVideo',
      summary: 'Create a video in the background; it costs credits',
      description:
        'Pass a prompt, or scenes that each have an aiPrompt or an uploaded mediaUrl. Credits are charged ' +
        'immediately, one for each generated scene and one for a voiceover unless the operator has set other ' +
        'prices, and are refunded if the video fails. Its videoUrl can be posted once getVideo returns status ready.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'videos:write',
      body: requestVideoBody,
      idempotent: true,
      answer: { status: 202, description: 'Started. Poll GET /videos/{id} with the videoId.', schema: requestedSchema },
      handle: async (made) => {
        const { body, caller, work } = made
        const { workspaceId } = caller
        const id = resourceId('vid', work)
        const { saveAsDraft, ...requested } = body
        const settings = planVideo(workspaceId, requested)
        mustKnowVoice(services.videos, settings)
        if (saveAsDraft) {
          await decide(made, id, (state) => draftVideo(state, settings))
          const { balance } = await load(log, credits, workspaceId)
          return { status: 202, body: { videoId: id, id, creditsRemaining: balance } }
        }
        mustBeMakeable(services.videos, settings)
        const order = { settings, amount: priceOf(settings, services.videos.prices) }
        const start = async () => {
          if (keepsFiles(settings)) await services.mediaRoom.find(workspaceId, id)
          const ordered = await orderVideo(services, id, order, causeOf(made, id))
          if (ordered.position !== undefined) await seen.waitFor(ordered.position)
          return ordered
        }
        const { balance } = await withinBudgets(services, made, id, { credits: () => order.amount }, () =>
          services.ceilings.adding('videos', { workspaceId, id }, start),
        )
        return { status: 202, body: { videoId: id, id, creditsRemaining: balance } }
      },
    }),

    listRoute(services, {
      path: '/videos',
      operationId: 'listVideos',
      summary: 'List videos, newest first',
      description: 'With the progress of videos that are still being created.',
      tag: TAG,
      scope: 'videos:read',
      plural: 'videos',
      item: videoSchema,
      fetch: (page) => newestFirst(db, videos, page),
      present: (row) => presentVideo(row, services.videos.urlOf),
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: ONE,
      operationId: 'getVideo',
      summary: 'Get one video with its progress and clips',
      description: 'Its status is processing until it is ready or failed; statusMessage explains why.',
      tag: TAG,
      scope: 'videos:read',
      params,
      query: atQuery,
      answer: { status: 200, description: 'The video.', schema: videoSchema },
      handle: async ({ params: { id }, query: { at }, caller }) => {
        const of = { projection: videos, kind: video, noun: 'video' }
        const row = await asItWas(services, of, await own(id, caller), at)
        return { status: 200, body: presentVideo(row, services.videos.urlOf) }
      },
    }),

    route({
      method: 'DELETE',
      path: ONE,
      operationId: 'deleteVideo',
      summary: 'Permanently delete a video and its files; a video in progress is cancelled and refunded',
      description: 'Posts that have not fetched its files yet can no longer do so.',
      tag: TAG,
      scope: 'videos:write',
      params,
      answer: {
        status: 200,
        description: 'Deleted.',
        schema: z.object({ id: z.string(), deleted: z.literal(true) }),
      },
      handle: async (made) => {
        const { id } = made.params
        await own(id, made.caller)
        await decide(made, id, deleteVideo)
        return { status: 200, body: { id, deleted: true } }
      },
    }),
  ]
}

function keepsFiles({ scenes, voiceover }: VideoSettings): boolean {
  return voiceover !== undefined || scenes.some(({ mediaSource }) => mediaSource === 'ai')
}

/** @throws Refusal invalid_request naming the available voices, if they are known */
function mustKnowVoice({ voices }: VideoServices, { voiceover }: VideoSettings): void {
  const voiceId = voiceover?.voiceId
  if (voices === undefined || voiceId === undefined || voices.includes(voiceId)) return
  throw new Refusal('invalid_request', `voiceId must be one of ${voices.join(', ')}`)
}

/** @throws Refusal failed_precondition when the service has no provider for it */
function mustBeMakeable({ generates }: VideoServices, { scenes, voiceover }: VideoSettings): void {
  const why = 'No provider is configured for'
  if (!generates.video && scenes.some(({ mediaSource }) => mediaSource === 'ai')) {
    throw new Refusal(
      'failed_precondition',
      `${why} videos: the operator must set VIDEO_PROVIDER. Nothing was charged.`,
    )
  }
  if (!generates.speech && voiceover) {
    throw new Refusal(
      'failed_precondition',
      `${why} voices: the operator must set SPEECH_PROVIDER. Nothing was charged.`,
    )
  }
}
