import * as z from 'zod'

const digits = z.string().regex(/^\d+$/)

/** Counts code points, as JSON Schema does. */
function atMost(length: number) {
  return z.string().refine((value) => [...value].length <= length, `longer than ${length} characters`)
}

const imageUrl = z.strictObject({ source_type: z.literal('image_url'), url: z.url({ protocol: /^https?$/ }) })
const imageUrls = z.strictObject({
  source_type: z.literal('multiple_image_urls'),
  items: z
    .array(
      z.strictObject({
        url: z.url({ protocol: /^https?$/ }),
        title: z.string().optional(),
        description: z.string().optional(),
        link: z.url().optional(),
      }),
    )
    .min(2)
    .max(5),
  index: z.int().min(0).optional(),
})
const videoId = z.strictObject({
  source_type: z.literal('video_id'),
  media_id: digits,
  cover_image_url: z.url().optional(),
  cover_image_key_frame_time: z.int().min(0).optional(),
})

/** The body of `POST /pins`, without the fields that Fanfare does not use. */
export const newPin = z.strictObject({
  board_id: digits,
  board_section_id: digits.optional(),
  title: atMost(100).optional(),
  description: atMost(800).optional(),
  link: z.url().max(2048).optional(),
  alt_text: atMost(500).optional(),
  dominant_color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .optional(),
  media_source: z.discriminatedUnion('source_type', [imageUrl, imageUrls, videoId]),
})
export type NewPin = z.output<typeof newPin>

/** The body of `PATCH /pins/{id}`, without the fields that Fanfare does not use. */
export const pinEdit = newPin.pick({ title: true, description: true, link: true, alt_text: true })
