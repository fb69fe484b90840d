import * as z from 'zod'
import { unchanged, type EventOf, type StreamKind } from '../core/event.ts'
import { derivedUlid } from '../core/ids.ts'
import type { ErasedFields } from '../core/personal-data.ts'
import { METRICS, type PostMetrics } from './metrics.ts'
import { PLATFORM_KEYS, POST_TYPES } from '../core/platform.ts'
import { text } from '../core/text.ts'

export const postMetrics: z.ZodType<PostMetrics> = z.partialRecord(z.enum(METRICS), z.int().nonnegative())

/** Identifies one reading of one post. `slot` is its place in the cadence (`metrics-cadence.ts`). */
const look = {
  workspaceId: z.string(),
  postId: text(100),
  platform: z.enum(PLATFORM_KEYS),
  accountId: text(100),
  /** The platform's id of the post. */
  platformPostId: text(1000),
  publishedAt: z.iso.datetime(),
  slot: z.int().nonnegative(),
}

const events = {
  /** The numbers as the platform reported them, with everything that analytics group by, so that nothing else has to be read. */
  MetricsCaptured: z.object({
    ...look,
    mediaType: z.enum(POST_TYPES),
    hashtags: z.array(text(200)),
    metrics: postMetrics,
  }),
  /** The platform does not know the post: deleted, or not yet there. Written once, until the platform knows it again. */
  MetricsMissing: z.object(look),
  /** The platform does not allow them to be kept. `slot` is that of the last event. */
  MetricsErased: z.object({ slot: look.slot }),
}

export type PostMetricsEvent = EventOf<typeof events>
export type CapturedMetrics = Extract<PostMetricsEvent, { type: 'MetricsCaptured' }>['data']
export type MissedLook = Extract<PostMetricsEvent, { type: 'MetricsMissing' }>['data']

/** `slot` is that of the last event. */
export type PostMetricsState =
  | { readonly status: 'absent' }
  | { readonly status: 'captured' | 'missing' | 'erased'; readonly slot: number }

/** One stream per post and account. */
export function postMetricsId(postId: string, accountId: string): string {
  return `met_${derivedUlid('metrics', postId, accountId)}`
}

const STATUS = { MetricsCaptured: 'captured', MetricsMissing: 'missing', MetricsErased: 'erased' } as const

/** The numbers of one post on one account, reading by reading. */
export const metrics: StreamKind<PostMetricsState, PostMetricsEvent> = {
  category: 'metrics',
  events,
  // Version 2 is encrypted, version 3 may be of text alone, version 4 of a document, version 5 of a platform that was added since.
  upcasters: { MetricsCaptured: [unchanged, unchanged, unchanged, unchanged], MetricsMissing: [unchanged] },
  personal: {
    erased: { MetricsCaptured: { hashtags: [], metrics: {} } } satisfies ErasedFields<typeof events>,
    // Also after it was erased: the post may be read again.
    begins: 'MetricsCaptured',
    subjectOf: (begin) => {
      const { workspaceId, accountId } = begin as CapturedMetrics
      return { workspaceId, accountId }
    },
  },
  initial: { status: 'absent' },
  evolve: (_state, event): PostMetricsState => ({ status: STATUS[event.type], slot: event.data.slot }),
}
