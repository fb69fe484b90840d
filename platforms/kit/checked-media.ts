import { PLATFORM_NAMES, type MediaType, type PostType } from '../../domain/core/platform.ts'
import { mediaOf, type PostMedia } from '../../domain/post/post-media.ts'
import { conversionTo, describe, factsOfResult, type Conversion, type Shape } from '../../infra/media/conversion.ts'
import { RATIO_FITS } from '../../infra/media/image-conversion.ts'
import type { MediaFacts, SpooledMedia, WantedMedia } from '../../infra/media/media.ts'
import { brokenFirstCommentRules } from './first-comment.ts'
import { aboutItem, brokenSetRules, type Checked } from './media-set.ts'
import { tooLarge } from './media-refusal.ts'
import { PlatformError, type Platform, type PlatformIo, type PublishJob } from './platform.ts'

export type Rules = Pick<Platform, 'key' | 'takes' | 'check' | 'firstComment'>
export type Content = Pick<PublishJob, 'text' | 'mediaUrl' | 'mediaType' | 'media' | 'options' | 'firstComment'>
/** An item, or text alone. */
interface Item {
  readonly type: PostType
}
type MediaIo = Pick<PlatformIo, 'media' | 'signal' | 'relay'>

/**
 * Every platform rule that a post breaks, as sentences.
 *
 * @param facts of each item, in order; absent until it is fetched
 */
export function brokenRules(
  platform: Rules,
  post: Content,
  facts: readonly (MediaFacts | undefined)[] = [],
): readonly string[] {
  const items = mediaOf(post)
  return [
    ...brokenSetRules(platform, items),
    ...ofEach(post, facts, (item, known) => brokenItemRules(platform, post, item, known)),
    ...brokenFirstCommentRules(platform, post, post.options),
  ]
}

/** What the platform may refuse or change, as sentences. @param facts as for `brokenRules` */
export function warningsOf(
  { warnings }: Pick<Platform, 'warnings'>,
  post: Content,
  facts: readonly (MediaFacts | undefined)[],
): readonly string[] {
  return ofEach(post, facts, (item, known) => warnings?.(checkedOf(post, item), known) ?? [])
}

/** Sentences about the text, which are the same for each item, and then those about items. */
function ofEach(
  post: Content,
  facts: readonly (MediaFacts | undefined)[],
  sentencesOf: (item: Item, facts: MediaFacts | undefined) => readonly string[],
): readonly string[] {
  const media: readonly Item[] = mediaOf(post)
  const items = media.length > 0 ? media : [{ type: post.mediaType }]
  const ofText = new Set(items.flatMap((item) => sentencesOf(item, undefined)))
  const ofItems = items.flatMap((item, index) =>
    sentencesOf(item, facts[index])
      .filter((sentence) => !ofText.has(sentence))
      .map((sentence) => aboutItem(index, items.length, sentence)),
  )
  return [...ofText, ...ofItems]
}

function checkedOf(post: Content, { type: mediaType }: Item): Checked {
  return { text: post.text, mediaType, items: mediaOf(post).length, options: post.options }
}

function brokenItemRules(
  { key, takes, check }: Rules,
  post: Content,
  item: Item,
  facts: MediaFacts | undefined,
): readonly string[] {
  const mediaType = item.type
  if (mediaType === 'text') {
    if (!takes.text) return [`${PLATFORM_NAMES[key]} takes no posts of text alone.`]
    const blank = post.text.trim() === '' ? ['A post without media needs a text.'] : []
    return [...blank, ...check(checkedOf(post, item), facts)]
  }
  const taken = takes[mediaType]
  if (!taken) return [`${PLATFORM_NAMES[key]} does not support ${mediaType} posts${instead(mediaType, takes)}.`]
  const size = facts && facts.bytes > taken.maxBytes ? [tooLarge(mediaType, facts.bytes, taken.maxBytes).message] : []
  return [...size, ...check(checkedOf(post, item), facts)]
}

function instead(mediaType: MediaType, { image }: Rules['takes']): string {
  return mediaType === 'document' && image ? ': post its pages as images instead' : ''
}

/** The media of a post. @throws PlatformError `permanent` if it has none */
export function someMedia(post: Content): readonly [PostMedia, ...PostMedia[]] {
  const [first, ...more] = mediaOf(post)
  if (!first) throw noMedia()
  return [first, ...more]
}

export function noMedia(): PlatformError {
  return new PlatformError('permanent', 'The post has no media.')
}

/**
 * Checks a post's text, fetches its only item and checks that too, all by the platform's rules.
 *
 * @throws PlatformError `permanent`, naming every broken rule
 */
export async function checkedMedia(platform: Rules, job: PublishJob, io: MediaIo): Promise<SpooledMedia> {
  refuse(brokenRules(platform, job))
  return fetched(platform, job, someMedia(job)[0], 0, io)
}

/**
 * The same for a post of any number of items, also of none. One is fetched at a time, so that a post takes no more disk space
 * than its largest item.
 *
 * @param use what is done with each; its file is deleted afterwards
 * @throws PlatformError `permanent`, naming every broken rule; what `use` throws
 */
export async function eachCheckedMedia<T>(
  platform: Rules,
  job: PublishJob,
  io: MediaIo,
  use: (media: SpooledMedia, item: PostMedia) => Promise<T>,
): Promise<readonly T[]> {
  refuse(brokenRules(platform, job))
  const used = async (item: PostMedia, index: number): Promise<T> => {
    const media = await fetched(platform, job, item, index, io)
    try {
      return await use(media, item)
    } finally {
      await media.dispose()
    }
  }
  const results: T[] = []
  for (const [index, item] of mediaOf(job).entries()) results.push(await used(item, index))
  return results
}

async function fetched(
  platform: Rules,
  job: PublishJob,
  item: PostMedia,
  index: number,
  io: MediaIo,
): Promise<SpooledMedia> {
  const { type: mediaType, url } = item
  const about = (sentence: string) => aboutItem(index, mediaOf(job).length, sentence)
  const isOutOfReach = platform.takes[mediaType]?.isFetched === true && !io.relay
  const found = wanted(platform, job, mediaType)
  const want = isOutOfReach ? { ...found, shape: undefined, keepsPosition: true } : found
  const media = await io.media.spool(url, want, io.signal).catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error
    const { kind, message, retryAfterMs } = error
    throw new PlatformError(kind, about(message), { retryAfterMs, cause: error })
  })
  try {
    const broken = brokenItemRules(platform, job, item, media.facts)
    const lacking = broken.length > 0 ? whyNotConverted(platform, mediaType, io.media, !isOutOfReach) : undefined
    const isConvertible = lacking !== undefined && conversionOf(platform, job, item, media.facts) !== undefined
    refuse([...broken, ...(isConvertible ? [lacking] : [])].map(about))
    return media
  } catch (error) {
    await media.dispose()
    throw error
  }
}

/**
 * The items of a post as they will be sent, if media are converted.
 *
 * @param whyNot as `whyNotConverted`; default: nothing is missing
 * @returns `changes`: what is done to them, as sentences. `lacking`: what is missing for others that should be converted
 */
export function asSent(
  platform: Rules,
  post: Content,
  facts: readonly (MediaFacts | undefined)[],
  whyNot: (type: PostType) => string | undefined = () => undefined,
): {
  readonly facts: readonly (MediaFacts | undefined)[]
  readonly changes: readonly string[]
  readonly lacking: readonly string[]
} {
  const items = mediaOf(post)
  const changes: string[] = []
  const lacking = new Set<string>()
  const sent = facts.map((known, index) => {
    const conversion = known && conversionOf(platform, post, items[index], known)
    if (!known || !conversion) return known
    const why = whyNot(known.mediaType)
    if (why !== undefined) {
      lacking.add(why)
      return known
    }
    changes.push(aboutItem(index, items.length, describe(conversion, known)))
    return factsOfResult(conversion, known)
  })
  return { facts: sent, changes, lacking: [...lacking] }
}

/**
 * What is missing for an item to be converted, if it has to be; undefined if nothing is, or if the operator does not want it.
 *
 * @param isInReach whether the platform can fetch what this service makes
 */
export function whyNotConverted(
  { key }: Pick<Rules, 'key'>,
  type: PostType,
  { convertsImages, convertsVideos }: Pick<MediaIo['media'], 'convertsImages' | 'convertsVideos'>,
  isInReach: boolean,
): string | undefined {
  if (!convertsImages) return undefined
  if (type === 'video' && !convertsVideos) return 'To have Fanfare convert it, install ffmpeg or set FFMPEG_PATH.'
  return isInReach
    ? undefined
    : `To have Fanfare convert it, set PUBLIC_URL: ${PLATFORM_NAMES[key]} fetches ${type}s itself.`
}

/**
 * What happens to the positions where a post's media were taken, if they are removed.
 *
 * @param isInReach whether the platform can fetch what this service makes
 */
export function positionsOf(
  { key, takes }: Pick<Rules, 'key' | 'takes'>,
  post: Content,
  facts: readonly (MediaFacts | undefined)[],
  isInReach: boolean,
): { readonly changes: readonly string[]; readonly warnings: readonly string[] } {
  const items = mediaOf(post)
  const [changes, warnings]: [string[], string[]] = [[], []]
  for (const [index, { type }] of items.entries()) {
    if (!facts[index]?.hasPosition) continue
    const about = (sentence: string) => aboutItem(index, items.length, sentence)
    if (!takes[type]?.isFetched || isInReach) {
      changes.push(about('The position where it was taken is removed before it is sent.'))
    } else {
      const reason = `${PLATFORM_NAMES[key]} fetches ${type}s itself`
      warnings.push(about(`It says where it was taken. To have Fanfare remove that, set PUBLIC_URL: ${reason}.`))
    }
  }
  return { changes, warnings }
}

function conversionOf(
  platform: Rules,
  post: Content,
  item: PostMedia | undefined,
  facts: MediaFacts,
): Conversion | undefined {
  const shape = item && shapeOf(platform, post, item.type)
  return shape && conversionTo(shape, facts)
}

/** What to fetch for a platform that is sent the item. */
export function wanted(
  platform: Pick<Rules, 'takes'>,
  post: Pick<Content, 'options'>,
  mediaType: MediaType,
): WantedMedia {
  const { maxBytes = 0 } = platform.takes[mediaType] ?? {}
  return { mediaType, maxBytes, shape: shapeOf(platform, post, mediaType) }
}

/** What an item of a post is converted to. */
function shapeOf(
  { takes: { image, video } }: Pick<Rules, 'takes'>,
  { options }: Pick<Content, 'options'>,
  type: PostType,
): Shape | undefined {
  if (type === 'video') return video?.shape && { video: { maxBytes: video.maxBytes, ...video.shape } }
  if (type !== 'image') return undefined
  const by = RATIO_FITS.find((one) => one === options?.['imageFit']) ?? 'pad'
  return image?.shape && { image: { maxBytes: image.maxBytes, ...image.shape }, by }
}

function refuse(broken: readonly string[]): void {
  if (broken.length > 0) throw new PlatformError('permanent', broken.join(' '))
}
