import { z } from 'zod'
import type { Outlook, PlatformIo, PublishJob } from '../platform.ts'
import type { Handle } from './asset.ts'
import { isOrganization } from './author.ts'
import { isNoAnswer } from './errors.ts'
import { fromLittle } from './little.ts'
import { postsOf } from './listing.ts'
import { publishedAs } from './published.ts'
import { isPostUrn } from './urn.ts'

const PAGE = 50
const MOST_PAGES = 10
/** Our clock and LinkedIn's may differ by so much (ms). */
const CLOCKS_APART_MS = 10 * 60_000

const element = z.object({
  id: z.string().refine(isPostUrn),
  commentary: z.string().optional().catch(undefined),
  content: z
    .object({ media: z.object({ id: z.string() }).optional() })
    .optional()
    .catch(undefined),
  createdAt: z.number().optional().catch(undefined),
  lifecycleState: z.string().optional().catch(undefined),
})
type Element = z.infer<typeof element>

/**
 * Looks for a post among those of its page. Its asset is of this upload alone, so the one post that has it is ours,
 * even with a text that was edited since. A post without a readable asset may be ours when it has our text.
 *
 * Members may not read their own posts: for them the outcome stays unknown.
 */
export async function find(job: PublishJob, handle: Handle, io: PlatformIo): Promise<Outlook> {
  const { externalId, baseUrl } = job.account
  if (!isOrganization(externalId)) return { outcome: 'unknown' }
  const oldest = Date.parse(handle.uploadedAt) - CLOCKS_APART_MS
  const seen: unknown[] = []
  try {
    for (let start = 0; start < PAGE * MOST_PAGES; start += PAGE) {
      const page = await postsOf(externalId, { start, count: PAGE }, baseUrl, io)
      seen.push(...page)
      // A page may be short though more follow, so only an empty one is the last.
      const older = page.some((post) => createdBefore(post, oldest))
      if (page.length === 0 || older) return judged(seen, oldest, job, handle)
    }
  } catch (error) {
    if (isNoAnswer(error)) return { outcome: 'unknown' }
    throw error
  }
  const outlook = judged(seen, oldest, job, handle)
  return outlook.outcome === 'absent' ? { outcome: 'unknown' } : outlook
}

function judged(posts: readonly unknown[], oldest: number, job: PublishJob, { asset }: Handle): Outlook {
  const ours = new Map<string, Element>()
  let doubtful = false
  for (const post of posts) {
    const { data } = element.safeParse(post)
    const media = data?.content?.media?.id
    // Pages move on while they are read, so that a post may be seen twice.
    if (data && media === asset) ours.set(data.id, data)
    else if (media === undefined && !createdBefore(post, oldest) && mayHave(data?.commentary, job.text)) doubtful = true
  }
  const [found, ...others] = ours.values()
  if (others.length > 0) return { outcome: 'unknown' }
  if (!found) return { outcome: doubtful ? 'unknown' : 'absent' }
  if (found.lifecycleState === 'PUBLISH_FAILED') {
    return { outcome: 'refused', error: `LinkedIn took the post as ${found.id}, and then could not publish it.` }
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
