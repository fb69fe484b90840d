import * as z from 'zod'
import type { MediaFacts } from '../../infra/media/media.ts'
import { hasStatus } from '../kit/errors.ts'
import type { Checked, TextLength } from '../kit/media-set.ts'
import type { Credentials, Platform } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { callWith } from './api.ts'
import { mastodonOptions } from './options.ts'
import { measuredText } from './text.ts'

const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/webm', 'video/quicktime']
const [JPEG = '', MP4 = ''] = [IMAGE_TYPES[0], VIDEO_TYPES[0]]

/** Of one server. */
const limitsSchema = z.object({
  chars: z.number(),
  urlChars: z.number(),
  /** Images in one post. */
  most: z.number(),
  altText: z.number(),
  imageBytes: z.number(),
  videoBytes: z.number(),
  imageTypes: z.array(z.string()),
  videoTypes: z.array(z.string()),
})
type Limits = Readonly<z.infer<typeof limitsSchema>>

/** Of Mastodon as it is shipped, version 4.5. */
const USUAL: Limits = {
  ...{ chars: 500, urlChars: 23, most: 4, altText: 1_500 },
  ...{ imageBytes: 16_777_216, videoBytes: 103_809_024 },
  imageTypes: [...IMAGE_TYPES],
  videoTypes: [...VIDEO_TYPES],
}

/** Far more than any server has. What a server says is not trusted beyond. */
const some = (usual: number, most: number) =>
  z
    .int()
    .positive()
    .transform((given) => Math.min(given, most))
    .catch(usual)
/** https://docs.joinmastodon.org/entities/Instance/, and what version 1 of it had under the same names. */
const instance = z.object({
  configuration: part({
    statuses: part({
      max_characters: some(USUAL.chars, 100_000),
      max_media_attachments: some(USUAL.most, 100),
      characters_reserved_per_url: some(USUAL.urlChars, 1_000),
    }),
    media_attachments: part({
      description_limit: some(USUAL.altText, 20_000),
      image_size_limit: some(USUAL.imageBytes, 100_000_000),
      video_size_limit: some(USUAL.videoBytes, 1_000_000_000),
      supported_mime_types: z.array(z.string()).catch([...IMAGE_TYPES, ...VIDEO_TYPES]),
    }),
  }),
})

/** An object that may be absent, with what is usual. */
function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((given) => given ?? {}, z.object(shape))
}

/** What a server takes, as a credential field. @throws PlatformError when it could not be reached */
export async function limitsField(baseUrl: string | undefined, io: RestIo): Promise<Credentials> {
  const { statuses, media_attachments: media } = (await instanceAt(baseUrl, io)).configuration
  const types = (own: readonly string[], always: string) =>
    own.filter((type) => type === always || media.supported_mime_types.includes(type))
  const limits: Limits = {
    chars: statuses.max_characters,
    urlChars: statuses.characters_reserved_per_url,
    most: statuses.max_media_attachments,
    altText: media.description_limit,
    imageBytes: media.image_size_limit,
    videoBytes: media.video_size_limit,
    imageTypes: types(IMAGE_TYPES, JPEG),
    videoTypes: types(VIDEO_TYPES, MP4),
  }
  return { limits: JSON.stringify(limits) }
}

/** Servers before Mastodon 4.0, and some others, know version 1 only. */
async function instanceAt(baseUrl: string | undefined, io: RestIo): Promise<z.infer<typeof instance>> {
  const at = (path: string) => callWith(undefined, baseUrl, { method: 'GET', path }, instance, io)
  try {
    return await at('/api/v2/instance')
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
    return at('/api/v1/instance')
  }
}

function limitsIn({ limits }: Credentials): Limits {
  return limits === undefined ? USUAL : (limitsSchema.safeParse(JSON.parse(limits)).data ?? USUAL)
}

const takesOf = ({ most, altText, imageBytes, videoBytes, imageTypes, videoTypes }: Limits): Platform['takes'] => ({
  image: { maxBytes: imageBytes, most, altText, shape: { types: imageTypes, pixels: MOST_PIXELS.image } },
  video: { maxBytes: videoBytes, altText, shape: { types: videoTypes, fps: MOST_FPS, longer: MOST_PIXELS.longer } },
  text: { chain: true },
})
/** Every server is shipped with these. */
const MOST_PIXELS = { image: 33_177_600, longer: 3_840 }
const MOST_FPS = 120

/** The rules for an account: its server decides. */
export function rulesOf<P extends Pick<Platform, 'takes'>>(platform: P, credentials: Credentials) {
  return { ...platform, ...rulesIn(limitsIn(credentials)) }
}

/** The rules of a server about which nothing is known. */
export const usualRules = (): ReturnType<typeof rulesIn> => rulesIn(USUAL)

function rulesIn(limits: Limits) {
  const measure = ({ text, options }: Pick<Checked, 'text' | 'options'>): TextLength =>
    measuredText(text, mastodonOptions.safeParse(options ?? {}).data?.contentWarning ?? '', limits)
  return {
    takes: takesOf(limits),
    measure,
    check: (post: Checked, facts: MediaFacts | undefined): readonly string[] => {
      const { length, most } = measure(post)
      const over = `Mastodon accepts posts of at most ${most} characters here, including the content warning and`
      return [
        ...(length > most ? [`${over} counting a link as ${limits.urlChars}; this one has ${length}.`] : []),
        ...(facts ? brokenTypes(facts, limits) : []),
      ]
    },
  }
}

function brokenTypes({ mediaType, mimeType }: MediaFacts, { imageTypes, videoTypes }: Limits): readonly string[] {
  const types = mediaType === 'image' ? imageTypes : videoTypes
  if (types.includes(mimeType)) return []
  return [`Mastodon accepts ${mediaType}s as ${types.join(', ')} on this server; this one is ${mimeType}.`]
}
