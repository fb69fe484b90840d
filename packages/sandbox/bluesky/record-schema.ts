import * as z from 'zod'
import { did } from './identity.ts'
import { decode, invalid } from './refusal.ts'

export const COLLECTION = 'app.bsky.feed.post'
export const TID = /^[234567a-j][234567a-z]{12}$/

/** Bytes, as in the reference server's lexicons of 2025. Newer ones allow images of 2,000,000. */
const IMAGE_LIMIT = 1_000_000
const VIDEO_LIMIT = 100_000_000

const segmenter = new Intl.Segmenter()

/** A string of at most this many graphemes, and ten times as many UTF-8 bytes. */
function text(graphemes: number) {
  return z.string().superRefine((value, context) => {
    const bytes = Buffer.byteLength(value, 'utf8')
    if (bytes > graphemes * 10) context.addIssue(`string too big (maximum ${graphemes * 10}, got ${bytes})`)
    else if (bytes > graphemes && count(value) > graphemes) {
      context.addIssue(`grapheme too big (maximum ${graphemes}, got ${count(value)})`)
    }
  })
}

function count(value: string): number {
  return [...segmenter.segment(value)].length
}

const DATETIME = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d(?:\.\d{1,20})?(?:Z|[+-][0-2]\d:[0-5]\d)$/
const datetime = z
  .string()
  .refine(
    (value) => DATETIME.test(value) && !value.endsWith('-00:00') && !Number.isNaN(Date.parse(value)),
    'Invalid datetime',
  )
const uri = z.string().regex(/^\w+:(?:\/\/)?[^\s/]\S*$/, 'Invalid uri')
export const atUri = z
  .string()
  .regex(/^at:\/\/[a-zA-Z0-9._:%-]+(?:\/[a-zA-Z0-9.-]+(?:\/[a-zA-Z0-9._~:@!$&')(*+,;=-]+)?)?$/, 'Invalid at-uri')
const cidText = z.string().regex(/^b[a-z2-7]{50,}$/, 'Invalid CID string')

const blob = z.object({
  $type: z.literal('blob'),
  ref: z.object({ $link: cidText }),
  mimeType: z.string(),
  size: z.int().min(0),
})
export type Blob = z.infer<typeof blob>

function blobOf(accept: (mimeType: string) => boolean, expected: string, limit: number) {
  return blob
    .refine(({ mimeType }) => accept(mimeType), `Expected "${expected}"`)
    .refine(({ size }) => size <= limit, `blob too big (maximum ${limit})`)
}

const aspectRatio = z.object({ width: z.int().min(1), height: z.int().min(1) })
const image = z.object({
  image: blobOf((mimeType) => mimeType.startsWith('image/'), 'image/*', IMAGE_LIMIT),
  alt: z.string(),
  aspectRatio: aspectRatio.optional(),
})
const video = z.object({
  $type: z.literal('app.bsky.embed.video'),
  video: blobOf((mimeType) => mimeType === 'video/mp4', 'video/mp4', VIDEO_LIMIT),
  alt: text(1_000).optional(),
  aspectRatio: aspectRatio.optional(),
})
const images = z.object({ $type: z.literal('app.bsky.embed.images'), images: z.array(image).max(4) })

const FACET = 'app.bsky.richtext.facet'
const feature = z.discriminatedUnion('$type', [
  z.object({ $type: z.literal(`${FACET}#link`), uri }),
  z.object({ $type: z.literal(`${FACET}#mention`), did }),
  z.object({ $type: z.literal(`${FACET}#tag`), tag: text(64) }),
])
const facet = z.object({
  index: z.object({ byteStart: z.int().min(0), byteEnd: z.int().min(0) }),
  features: z.array(feature),
})
const reference = z.object({ uri: atUri, cid: cidText })

const selfLabels = z.object({
  $type: z.literal('com.atproto.label.defs#selfLabels'),
  values: z.array(z.object({ val: z.string().max(128) })).max(10),
})

const post = z.object({
  $type: z.literal(COLLECTION).optional(),
  text: text(300),
  createdAt: datetime,
  facets: z.array(facet).optional(),
  embed: z.discriminatedUnion('$type', [images, video]).optional(),
  reply: z.object({ root: reference, parent: reference }).optional(),
  langs: z
    .array(z.string().regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{1,8})*$/, 'Invalid language'))
    .max(3)
    .optional(),
  labels: selfLabels.optional(),
  tags: z.array(text(64)).max(8).optional(),
})
export type PostRecord = z.infer<typeof post>

/**
 * Validates a post against its lexicon (bounds, formats, required keys). Stricter than the real server in one point: unknown
 * kinds of facets or embeds are refused, since no connector of ours should send one.
 *
 * @throws StandInRefusal 400 InvalidRequest
 */
export function decodePost(rkey: string, record: Readonly<Record<string, unknown>>): PostRecord {
  const type = record['$type'] ?? COLLECTION
  if (type !== COLLECTION) throw invalid(`Invalid $type: expected ${COLLECTION}, got ${String(type)}`)
  if (!TID.test(rkey)) throw invalid(`Invalid record key for ${COLLECTION}: Invalid TID string (got "${rkey}") at $`)
  if (hasFraction(record)) throw invalid('Expected an integer, got a number with a fraction at $.record')
  return decode(post, record, '$.record', `Invalid ${COLLECTION} record: `)
}

/** The images or the video of a post. */
export function shownIn({ embed }: PostRecord): readonly { readonly blob: Blob; readonly altText: string }[] {
  if (!embed) return []
  if (embed.$type === 'app.bsky.embed.video') return [{ blob: embed.video, altText: embed.alt ?? '' }]
  return embed.images.map(({ image, alt }) => ({ blob: image, altText: alt }))
}

function hasFraction(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasFraction)
}
