import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerPhotoInit, answerVideoInit } from './answer.ts'
import { privacyOptions } from './creator.ts'
import { isVerified } from './download.ts'
import type { Photos } from './photos.ts'
import { perMinute } from './rate.ts'
import { decode, envelope, refusal } from './refusal.ts'
import { accountScript, postScript } from './script.ts'
import { addTask, uploadIdOf } from './tasks.ts'
import { authenticate } from './tokens.ts'

const MB = 1_000_000
const UPLOAD_LIFETIME_MS = 3_600_000

const common = {
  privacy_level: z.enum(['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY']),
  disable_comment: z.boolean().default(false),
  brand_content_toggle: z.boolean(),
  brand_organic_toggle: z.boolean(),
}
const newVideo = z.strictObject({
  post_info: z.strictObject({
    ...common,
    title: z.string().max(2_200).optional(),
    disable_duet: z.boolean().optional(),
    disable_stitch: z.boolean().optional(),
    video_cover_timestamp_ms: z.int().min(0).optional(),
    is_aigc: z.boolean().optional(),
  }),
  source_info: z
    .strictObject({
      source: z.literal('FILE_UPLOAD'),
      video_size: z
        .int()
        .min(1)
        .max(4_000 * MB),
      chunk_size: z
        .int()
        .min(1)
        .max(64 * MB),
      total_chunk_count: z.int().min(1).max(1_000),
    })
    .refine(({ video_size, chunk_size }) => chunk_size === video_size || chunk_size >= 5 * MB, 'chunk_size: too small')
    .refine(
      ({ video_size, chunk_size, total_chunk_count }) => Math.floor(video_size / chunk_size) === total_chunk_count,
      'total_chunk_count: does not fit video_size and chunk_size',
    ),
})
const newPhoto = z.strictObject({
  media_type: z.literal('PHOTO'),
  post_mode: z.literal('DIRECT_POST'),
  post_info: z.strictObject({
    ...common,
    title: z.string().max(90).optional(),
    description: z.string().max(4_000).optional(),
    auto_add_music: z.boolean().optional(),
  }),
  source_info: z.strictObject({
    source: z.literal('PULL_FROM_URL'),
    photo_cover_index: z.literal(0),
    photo_images: z.array(z.url({ protocol: /^https?$/ })).length(1),
  }),
})

/**
 * Starts video uploads and photo posts.
 *
 * @param limit of both together, per minute and account
 */
export function registerInit(app: FastifyInstance, photos: Photos, limit: number, deps: StandInDeps): void {
  const count = perMinute(limit, deps)

  app.post('/v2/post/publish/video/init/', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { post_info: info, source_info: source } = decode(newVideo, request.body)
    const { title: caption = '' } = info
    mustBePostable(account, info, caption)
    count(account.externalId)
    return answerVideoInit(reply, account, deps, () => {
      const { video_size: bytes, chunk_size: chunkBytes, total_chunk_count } = source
      const endsAt = deps.clock.now() + UPLOAD_LIFETIME_MS
      const upload = { bytes, chunkBytes, count: total_chunk_count, token: deps.ids.token(), endsAt }
      const task = addTask(account, 'video', { caption, info, upload }, deps)
      const query = new URLSearchParams({ upload_id: uploadIdOf(task), upload_token: upload.token })
      const body = envelope({ publish_id: task.publishId, upload_url: `${deps.baseUrl()}/video/?${query}` })
      return { status: 200, body }
    })
  })

  app.post('/v2/post/publish/content/init/', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const { post_info: info, source_info: source } = decode(newPhoto, request.body)
    const { title = '', description: caption = title } = info
    const [url = ''] = source.photo_images
    if (!isVerified(url))
      throw refusal('url_ownership_unverified', 'Please review our URL ownership verification rules.')
    mustBePostable(account, info, caption)
    count(account.externalId)
    return answerPhotoInit(reply, account, deps, () => {
      const task = addTask(account, 'image', { caption, info, url }, deps)
      void photos.fetch(task)
      return { status: 200, body: envelope({ publish_id: task.publishId }) }
    })
  })
}

function mustBePostable(
  account: LedgerAccount,
  info: { readonly privacy_level: string; readonly disable_comment: boolean },
  caption: string,
): void {
  if (!privacyOptions(account).includes(info.privacy_level)) throw refusal('privacy_level_option_mismatch')
  if (accountScript(account.label).commentsOff && !info.disable_comment) {
    throw refusal('invalid_param', 'disable_comment: the creator has switched comments off')
  }
  const { refuse } = postScript(caption)
  if (refuse !== undefined) throw refusal(refuse)
}
