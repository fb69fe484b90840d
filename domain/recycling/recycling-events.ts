import * as z from 'zod'
import type { EventOf } from '../core/event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { content, erasedContent } from '../post/post-events.ts'
import { DUE_WORK_PARTS } from './recycling-due-work.ts'
import { provenance } from '../core/provenance.ts'
import { text } from '../core/text.ts'

const settings = {
  selections: z.record(z.string(), z.array(text(100))),
  /** Days of 24 hours. */
  intervalDays: z.int().positive(),
  rewriteCaption: z.boolean(),
}
/**
 * The next turn is made at the first check from `nextRecycleAt` on. `countedFrom` is the start of the interval that led to it.
 * ISO 8601 UTC.
 */
const times = { countedFrom: z.iso.datetime(), nextRecycleAt: z.iso.datetime() }

const added = { workspaceId: z.string(), sourcePostId: text(100), ...settings, ...times }
/** All times are ISO 8601 UTC. */
const rule = z.object({
  status: z.enum(['active', 'paused', 'deleted']),
  ...added,
  recycleCount: z.int().nonnegative(),
  lastRecycledAt: z.iso.datetime().optional(),
  lastPostId: text(100).optional(),
  /** Why the last turn failed; undefined when it succeeded. */
  lastError: text(2000).optional(),
  createdAt: z.iso.datetime(),
  dueWork: z.object({ part: z.enum(DUE_WORK_PARTS), dueAt: z.iso.datetime() }).optional(),
  /** The turn in progress. */
  turn: z.object({ postId: text(100), content: z.object(content) }).optional(),
})
export type RecyclingRule = Readonly<z.infer<typeof rule>>
export type Turn = NonNullable<RecyclingRule['turn']>

export const recyclingEvents = {
  RecyclingRuleAdded: z.object(added),
  /** All current settings. Repeats the workspace because a paused rule has no agenda row that names it. */
  RecyclingRuleChanged: z.object({
    workspaceId: z.string(),
    active: z.boolean(),
    ...settings,
    nextRecycleAt: times.nextRecycleAt,
  }),
  RecyclingRuleDeleted: z.object({}),
  /** A user asked for a turn now, regardless of the interval. */
  RecycleRequested: z.object({}),
  /**
   * A turn started, with the post that it makes: from here on the post is due, even if the rule is paused or deleted. The
   * post's id is derived from rule and turn. Repeats the workspace so that the post, which also names it, is never larger than
   * this event: what can be started can be queued.
   */
  RecycleStarted: z.object({ postId: text(100), workspaceId: z.string(), ...content }),
  /**
   * The AI rewrote the caption of a started turn, or the override for `platform`. Each caption has its own event, so that
   * prompts do not enlarge the turn.
   */
  CaptionRewritten: z.object({ postId: text(100), platform: text(100).optional(), ...provenance }),
  /** A turn failed. It is retried at the next check. */
  RecycleFailed: z.object({ error: text(2000) }),
  /** The post is queued. `active`: whether another turn follows. */
  Recycled: z.object({ postId: text(100), ...times, active: z.boolean() }),
  RecyclingRuleSummarized: rule,
}

export const erasedRecycling = {
  RecycleStarted: erasedContent,
  CaptionRewritten: { prompt: ERASED },
  RecyclingRuleSummarized: { turn: undefined },
} satisfies ErasedFields<typeof recyclingEvents>

export type RecyclingEvent = EventOf<typeof recyclingEvents>
/** The origin of one caption of a turn. */
export type Rewriting = Omit<Extract<RecyclingEvent, { type: 'CaptionRewritten' }>['data'], 'postId'>
