import * as z from 'zod'
import { MEDIA_TYPES } from '../../../domain/core/platform.ts'
import { text } from '../../../domain/core/text.ts'

/** As many as any platform takes. */
const MOST_ITEMS = 35

export const mediaUrl = text(2000).refine(
  (value) => URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol),
  { error: 'must be a public URL that begins with http:// or https://' },
)

const item = z
  .object({
    url: mediaUrl.describe('Public URL of the video, image or document.'),
    type: z
      .enum(MEDIA_TYPES, { error: 'must be video, image or document' })
      .describe('document: a PDF, DOC, DOCX, PPT or PPTX, the only item of its post.'),
    altText: text(5000).optional().describe('What it shows, for those who do not see it.'),
    thumbnailUrl: mediaUrl.optional().describe('Public URL of the image shown before a video is played.'),
  })
  .refine(({ type, thumbnailUrl }) => type === 'video' || thumbnailUrl === undefined, {
    path: ['thumbnailUrl'],
    error: 'is only for a video',
  })

/** The items of a request. */
export const mediaItems = z
  .array(item)
  .min(1, { error: 'must not be empty' })
  .max(MOST_ITEMS, { error: `has more than ${MOST_ITEMS} items` })
  .describe('All items of the post, in order. mediaUrl and mediaType are then optional, and those of the first item.')

/** The items of an answer. */
export const shownMedia = z
  .array(z.object({ ...item.shape, url: z.string(), thumbnailUrl: z.string().optional() }))
  .describe('All items of the post, in order.')

/** The same body, with mediaUrl and mediaType taken from `media` if only that is given. */
export function withMedia<S extends z.ZodObject>(body: S) {
  return z.preprocess(filledIn, body.superRefine(checkMedia))
}

/** Checks that mediaUrl and mediaType are those of the first item, if both are given, or else of no document. For `superRefine`. */
export function checkMedia(body: object, context: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  const { media, mediaUrl, mediaType } = body as { media?: z.infer<typeof mediaItems> | null } & Record<string, unknown>
  const first = media?.[0]
  if (!first) {
    if (mediaType !== 'document') return
    const message = 'must be video or image: a document is given in media'
    return context.addIssue({ code: 'custom', path: ['mediaType'], message })
  }
  const mustBe = (expected: string, path: string, given: unknown, field: string) => {
    if (given === undefined || given === expected) return
    context.addIssue({ code: 'custom', path: [path], message: `must be the ${field} of media[0] if both are given` })
  }
  mustBe(first.url, 'mediaUrl', mediaUrl, 'url')
  mustBe(first.type, 'mediaType', mediaType, 'type')
}

/** Anything that is not a body is left for the schema to refuse. Without `media`, there are neither of the others. */
export function filledIn(body: unknown): unknown {
  const { media } = Object(body) as { readonly media?: unknown }
  if (media === null) return { mediaUrl: null, mediaType: null, ...Object(body) }
  const first: unknown = Array.isArray(media) ? media[0] : undefined
  if (typeof first !== 'object' || first === null) return body
  const { url: mediaUrl, type: mediaType } = first as { readonly url?: unknown; readonly type?: unknown }
  return { mediaUrl, mediaType, ...Object(body) }
}

/** In answers: what became of the copies of a scheduled post's media. */
export const pinnedMedia = z
  .array(
    z.object({
      url: z.string(),
      status: z.enum(['pinned', 'failed']),
      error: z.string().optional().describe('When failed: why the file could not be fetched.'),
    }),
  )
  .optional()
  .describe(
    'Copies of media from elsewhere, which are published even if their host no longer has them. A file that could not be ' +
      'copied is fetched again when the post is published. Absent until they are made.',
  )
