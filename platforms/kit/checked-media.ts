import { mediaOf, type PostMedia } from '../../domain/post/post-media.ts'
import type { MediaFacts, SpooledMedia } from '../../infra/media/media.ts'
import { aboutItem, brokenSetRules, type Checked } from './media-set.ts'
import { tooLarge } from './media-refusal.ts'
import { PlatformError, type Platform, type PlatformIo, type PublishJob } from './platform.ts'

type Rules = Pick<Platform, 'key' | 'takes' | 'check'>
type Content = Pick<PublishJob, 'text' | 'mediaUrl' | 'mediaType' | 'media' | 'options'>
type MediaIo = Pick<PlatformIo, 'media' | 'signal'>

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
  sentencesOf: (item: PostMedia, facts: MediaFacts | undefined) => readonly string[],
): readonly string[] {
  const items = mediaOf(post)
  const ofText = new Set(items.flatMap((item) => sentencesOf(item, undefined)))
  const ofItems = items.flatMap((item, index) =>
    sentencesOf(item, facts[index])
      .filter((sentence) => !ofText.has(sentence))
      .map((sentence) => aboutItem(index, items.length, sentence)),
  )
  return [...ofText, ...ofItems]
}

function checkedOf(post: Content, { type: mediaType }: PostMedia): Checked {
  return { text: post.text, mediaType, items: mediaOf(post).length, options: post.options }
}

function brokenItemRules(
  { key, takes, check }: Rules,
  post: Content,
  item: PostMedia,
  facts: MediaFacts | undefined,
): readonly string[] {
  const mediaType = item.type
  const taken = takes[mediaType]
  if (!taken) return [`${key} does not support ${mediaType} posts.`]
  const size = facts && facts.bytes > taken.maxBytes ? [tooLarge(mediaType, facts.bytes, taken.maxBytes).message] : []
  return [...size, ...check(checkedOf(post, item), facts)]
}

/**
 * Checks a post's text, fetches its only item and checks that too, all by the platform's rules.
 *
 * @throws PlatformError `permanent`, naming every broken rule
 */
export async function checkedMedia(platform: Rules, job: PublishJob, io: MediaIo): Promise<SpooledMedia> {
  refuse(brokenRules(platform, job))
  return fetched(platform, job, mediaOf(job)[0], 0, io)
}

/**
 * The same for a post of any number of items. One is fetched at a time, so that a post takes no more disk space than its largest
 * item.
 *
 * @param use what is done with each; its file is deleted afterwards
 * @throws PlatformError `permanent`, naming every broken rule; what `use` throws
 */
export async function eachCheckedMedia<T>(
  platform: Rules,
  job: PublishJob,
  io: MediaIo,
  use: (media: SpooledMedia, item: PostMedia) => Promise<T>,
): Promise<readonly [T, ...T[]]> {
  refuse(brokenRules(platform, job))
  const used = async (item: PostMedia, index: number): Promise<T> => {
    const media = await fetched(platform, job, item, index, io)
    try {
      return await use(media, item)
    } finally {
      await media.dispose()
    }
  }
  const [first, ...more] = mediaOf(job)
  const results: [T, ...T[]] = [await used(first, 0)]
  for (const [index, item] of more.entries()) results.push(await used(item, index + 1))
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
  const maxBytes = platform.takes[mediaType]?.maxBytes ?? 0
  const media = await io.media.spool(url, { mediaType, maxBytes }, io.signal).catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error
    const { kind, message, retryAfterMs } = error
    throw new PlatformError(kind, about(message), { retryAfterMs, cause: error })
  })
  try {
    refuse(brokenItemRules(platform, job, item, media.facts).map(about))
    return media
  } catch (error) {
    await media.dispose()
    throw error
  }
}

function refuse(broken: readonly string[]): void {
  if (broken.length > 0) throw new PlatformError('permanent', broken.join(' '))
}
