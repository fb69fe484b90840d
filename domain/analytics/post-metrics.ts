import { z } from 'zod'
import type { EventOf, StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import { METRICS, type PostMetrics } from './metrics.ts'
import { MEDIA_TYPES, PLATFORM_KEYS } from '../core/platform.ts'
import { text } from '../core/text.ts'

export const postMetrics: z.ZodType<PostMetrics> = z.partialRecord(z.enum(METRICS), z.int().nonnegative())

/** Which look at which post. `slot` counts the looks of the cadence (`metrics-cadence.ts`). */
const look = {
  workspaceId: z.string(),
  postId: text(100),
  platform: z.enum(PLATFORM_KEYS),
  accountId: text(100),
  /** The platform's own. */
  platformPostId: text(1000),
  publishedAt: z.iso.datetime(),
  slot: z.int().nonnegative(),
}

const events = {
  /** The numbers as the platform told them. With all that is counted by, so that nothing else need be read. */
  MetricsCaptured: z.object({
    ...look,
    mediaType: z.enum(MEDIA_TYPES),
    hashtags: z.array(text(200)),
    metrics: postMetrics,
  }),
  /** The platform does not know the post: deleted, or not there yet. Written once, until it is known again. */
  MetricsMissing: z.object(look),
}

export type PostMetricsEvent = EventOf<typeof events>
export type CapturedMetrics = Extract<PostMetricsEvent, { type: 'MetricsCaptured' }>['data']
export type MissedLook = Extract<PostMetricsEvent, { type: 'MetricsMissing' }>['data']

/** `slot`: of the last event. */
export type PostMetricsState =
  { readonly status: 'absent' } | { readonly status: 'captured' | 'missing'; readonly slot: number }

/** One for each account that a post went to. */
export function postMetricsId(postId: string, accountId: string): string {
  return `met_${derivedUlid('metrics', postId, accountId)}`
}

/** How one post does on one account, look by look. */
export const metrics: StreamKind<PostMetricsState, PostMetricsEvent> = {
  category: 'metrics',
  events,
  initial: { status: 'absent' },
  evolve: (_state, event): PostMetricsState => ({
    status: event.type === 'MetricsCaptured' ? 'captured' : 'missing',
    slot: event.data.slot,
  }),
}
