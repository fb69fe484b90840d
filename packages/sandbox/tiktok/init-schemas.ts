import * as z from 'zod'

const MB = 1_000_000

const directPost = {
  privacy_level: z.enum(['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY']),
  disable_comment: z.boolean().default(false),
  brand_content_toggle: z.boolean(),
  brand_organic_toggle: z.boolean(),
}
const upload = z
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
  )
export type Upload = z.infer<typeof upload>

export const newVideo = z.strictObject({
  post_info: z.strictObject({
    ...directPost,
    title: z.string().max(2_200).optional(),
    disable_duet: z.boolean().optional(),
    disable_stitch: z.boolean().optional(),
    video_cover_timestamp_ms: z.int().min(0).optional(),
    is_aigc: z.boolean().optional(),
  }),
  source_info: upload,
})
/** The creator chooses everything else in the app. */
export const newInboxVideo = z.strictObject({ source_info: upload })

const photoText = { title: z.string().max(90).optional(), description: z.string().max(4_000).optional() }
const photo = {
  media_type: z.literal('PHOTO'),
  source_info: z.strictObject({
    source: z.literal('PULL_FROM_URL'),
    photo_cover_index: z.literal(0),
    photo_images: z
      .array(z.url({ protocol: /^https?$/ }))
      .min(1)
      .max(35),
  }),
}
export const newPhoto = z.discriminatedUnion('post_mode', [
  z.strictObject({
    ...photo,
    post_mode: z.literal('DIRECT_POST'),
    post_info: z.strictObject({ ...directPost, ...photoText, auto_add_music: z.boolean().optional() }),
  }),
  z.strictObject({ ...photo, post_mode: z.literal('MEDIA_UPLOAD'), post_info: z.strictObject(photoText) }),
])
