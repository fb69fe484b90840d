import * as z from 'zod'
import { theOne, unlessRefused } from '../kit/find-by-content.ts'
import type { OtherPosts, Outlook, PlatformIo, Published, PublishJob, Search } from '../kit/platform.ts'
import type { TextHandle } from '../kit/text-handle.ts'
import type { Handle } from './asset.ts'
import { isOrganization } from './author.ts'
import { isNoAnswer } from './errors.ts'
import { fromLittle } from './little.ts'
import { postsOf } from './listing.ts'
import { publishedAs } from './published.ts'
import { mayShow, sameText } from './same-text.ts'
import { isPostUrn } from './urn.ts'

const PAGE = 50
const MOST_PAGES = 10
/** How far (ms) our clock and LinkedIn's may differ. */
const CLOCKS_APART_MS = 10 * 60_000

const element = z.object({
  id: z.string().refine(isPostUrn),
  commentary: z.string().optional().catch(undefined),
  content: z
    .object({
      media: z.object({ id: z.string() }).optional(),
      multiImage: z.object({ images: z.array(z.object({ id: z.string() })) }).optional(),
    })
    // What it shows, or shows first.
    .transform(({ media, multiImage }) => ({ media: media ?? multiImage?.images[0] }))
    // Absent from text alone.
    .optional()
    .catch({ media: undefined }),
  createdAt: z.number().optional().catch(undefined),
  lifecycleState: z.string().optional().catch(undefined),
})
type Element = z.infer<typeof element>

/**
 * Looks for a post among those of its page. The asset is unique to this upload, so the one post with it is ours, even if
 * its text was edited since. A post without a readable asset may be ours if it has our text.
 *
 * Text alone is looked up by the text. Members cannot read their own posts, so for them the outcome stays unknown.
 */
export async function find(
  job: PublishJob,
  handle: Handle | TextHandle,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Outlook> {
  if ('since' in handle) return findByContent(job, Date.parse(handle.since), io, others)
  const { externalId, baseUrl } = job.account
  if (!isOrganization(externalId)) return { outcome: 'unknown' }
  const oldest = Date.parse(handle.uploadedAt) - CLOCKS_APART_MS
  try {
    const { posts, isWhole } = await postsSince(externalId, oldest, baseUrl, io)
    const outlook = judged(posts, oldest, job, handle)
    return outlook.outcome === 'absent' && !isWhole ? { outcome: 'unknown' } : outlook
  } catch (error) {
    if (isNoAnswer(error)) return { outcome: 'unknown' }
    throw error
  }
}

/** Like `find`, by text instead of a handle. @throws PlatformError if a later search may give an answer */
export async function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  const { externalId, baseUrl } = job.account
  if (!isOrganization(externalId)) return { outcome: 'unknown' }
  const oldest = since - CLOCKS_APART_MS
  const telling = {
    listed: ({ id, content, createdAt }: Element) => [
      { id, createdAt },
      // The id that publishing returns if LinkedIn gave no URN.
      ...(content?.media ? [{ id: content.media.id, createdAt }] : []),
    ],
    published: ({ id, commentary, content, createdAt, lifecycleState = 'PUBLISHED' }: Element) =>
      sameText(fromLittle(commentary ?? ''), job.text) &&
      (job.mediaType === 'text' ? content === undefined : content?.media !== undefined) &&
      createdAt !== undefined &&
      lifecycleState === 'PUBLISHED'
        ? publishedAs(id)
        : undefined,
  }
  return unlessRefused(async () => {
    const { posts, isWhole } = await postsSince(externalId, oldest, baseUrl, io)
    const recent = posts.filter((post) => !createdBefore(post, oldest)).map((post) => element.safeParse(post).data)
    const alike = recent.filter((post) => post !== undefined).filter((post) => isAlike(post, job))
    const unique = [...new Map(alike.map((post) => [post.id, post])).values()]
    return theOne(job, { alike: unique, isWhole: isWhole && !recent.includes(undefined) }, telling, others)
  })
}

/** Whether the known fields of a post allow it to be this one. */
function isAlike({ commentary, content, lifecycleState }: Element, { text, mediaType }: PublishJob): boolean {
  if (lifecycleState === 'PUBLISH_FAILED' || lifecycleState === 'DRAFT') return false
  const kind = content?.media?.id.split(':')[2]
  return (
    (kind === undefined || kind === mediaType) && (commentary === undefined || mayShow(fromLittle(commentary), text))
  )
}

/** The raw posts of the page back to a time (ms since the epoch); may include some older ones. */
async function postsSince(
  page: string,
  oldest: number,
  baseUrl: string | undefined,
  io: PlatformIo,
): Promise<{ readonly posts: readonly unknown[]; readonly isWhole: boolean }> {
  const posts: unknown[] = []
  for (let start = 0; start < PAGE * MOST_PAGES; start += PAGE) {
    const next = await postsOf(page, { start, count: PAGE }, baseUrl, io)
    posts.push(...next)
    // A short page may still be followed by more; only an empty one is the last.
    if (next.length === 0 || next.some((post) => createdBefore(post, oldest))) return { posts, isWhole: true }
  }
  return { posts, isWhole: false }
}

function judged(posts: readonly unknown[], oldest: number, job: PublishJob, { asset }: Handle): Outlook {
  const ours = new Map<string, Element>()
  let doubtful = false
  for (const post of posts) {
    const { data } = element.safeParse(post)
    const media = data?.content?.media?.id
    // Pages shift while they are read, so a post may be seen twice.
    if (data && media === asset) ours.set(data.id, data)
    else if (media === undefined && !createdBefore(post, oldest) && mayHave(data?.commentary, job.text)) doubtful = true
  }
  const [found, ...others] = ours.values()
  if (others.length > 0) return { outcome: 'unknown' }
  if (!found) return { outcome: doubtful ? 'unknown' : 'absent' }
  if (found.lifecycleState === 'PUBLISH_FAILED') {
    return { outcome: 'refused', error: `LinkedIn accepted the post as ${found.id}, but could not publish it.` }
  }
  return { outcome: 'found', found: publishedAs(found.id) }
}

function mayHave(commentary: string | undefined, text: string): boolean {
  return commentary === undefined || fromLittle(commentary) === text
}

function createdBefore(post: unknown, ms: number): boolean {
  const createdAt = element.safeParse(post).data?.createdAt
  return createdAt !== undefined && createdAt < ms
}
