import type { PlatformKey } from '../../domain/core/platform.ts'
import { postMetricsId } from '../../domain/analytics/post-metrics.ts'
import { findPostMetrics } from '../../projections/models/post-metrics.ts'
import { findPost } from '../../projections/models/posts.ts'
import type { Http } from '../../infra/http/http.ts'
import type { Process, World } from './world.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export interface OutPost {
  readonly id: string
  readonly accountId: string
  /** The platform's own. */
  readonly postId: string
  /** When it went out, ms since the epoch. */
  readonly at: number
}

/** A post that is out on these accounts. */
export async function published(
  world: World,
  service: Process,
  selections: Readonly<Partial<Record<PlatformKey, readonly string[]>>>,
  hashtags: readonly string[] = [],
): Promise<readonly OutPost[]> {
  const isVideo = 'youtube' in selections
  const id = await service.queue({
    selections: Object.fromEntries(Object.entries(selections).map(([platform, ids]) => [platform, [...ids]])),
    mediaUrl: `${world.sandbox.url}/media/sample.${isVideo ? 'mp4' : 'jpg'}`,
    mediaType: isVideo ? 'video' : 'image',
    hashtags: [...hashtags],
  })
  await service.drain()
  const results = (await findPost(world.db, id))?.results ?? {}
  const items = Object.values(results).flat()
  const rows = await findPostMetrics(
    world.db,
    items.map(({ accountId = '' }) => postMetricsId(id, accountId)),
  )
  return items.map((item) => {
    if (!item.ok) throw new Error(`the post is not out: ${item.error}`)
    const { accountId, postId } = item
    return { id, accountId, postId, at: Date.parse(rows.get(postMetricsId(id, accountId))?.publishedAt ?? '') }
  })
}

/** One event of the log about the numbers of a post. */
export interface Look {
  readonly type: 'MetricsCaptured' | 'MetricsMissing' | 'MetricsErased'
  readonly postId: string
  readonly accountId: string
  readonly slot: number
  /** Age of the post in ms. */
  readonly age: number
  readonly metrics: Readonly<Record<string, number>>
}

/** What was put down about the numbers of posts, in order. */
export async function looks({ db, log }: World, postId?: string): Promise<readonly Look[]> {
  const { rows } = await db.query<{ stream: string }>(
    "select stream from log.events where stream like 'metrics-%' and revision = 0",
  )
  const events = (await Promise.all(rows.map(({ stream }) => log.read(stream)))).flat()
  return events
    .toSorted((one, other) => Number(one.position - other.position))
    .map(({ type, data, metadata }) => {
      const look = data as Omit<Look, 'type' | 'age'> & { publishedAt: string }
      return { ...look, type: type as Look['type'], age: Date.parse(metadata.at) - Date.parse(look.publishedAt) }
    })
    .filter((look) => postId === undefined || look.postId === postId)
}

/** Counts the calls that have this in their address. */
export function counting(http: Http, part: string): Http & { readonly calls: () => number } {
  let calls = 0
  const count = (url: string) => {
    if (url.includes(part)) calls += 1
  }
  return {
    ...http,
    request: (url, request) => {
      count(url)
      return http.request(url, request)
    },
    calls: () => calls,
  }
}
