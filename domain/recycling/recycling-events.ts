import { z } from 'zod'
import type { EventOf } from '../core/event.ts'
import { content } from '../post/post-events.ts'
import { provenance } from '../core/provenance.ts'
import { text } from '../core/text.ts'

const settings = {
  selections: z.record(z.string(), z.array(text(100))),
  /** Days of 24 hours. */
  intervalDays: z.int().positive(),
  rewriteCaption: z.boolean(),
}
/**
 * The next turn may be made from `nextRecycleAt` on, and is made at the first check from then on; `countedFrom` is what that
 * is counted from. ISO 8601 UTC.
 */
const times = { countedFrom: z.iso.datetime(), nextRecycleAt: z.iso.datetime() }

export const recyclingEvents = {
  RecyclingRuleAdded: z.object({ workspaceId: z.string(), sourcePostId: text(100), ...settings, ...times }),
  /** All settings as they are now. The workspace is named again because a paused rule owes nothing that would name it. */
  RecyclingRuleChanged: z.object({
    workspaceId: z.string(),
    active: z.boolean(),
    ...settings,
    nextRecycleAt: times.nextRecycleAt,
  }),
  RecyclingRuleDeleted: z.object({}),
  /** Somebody wants a turn now, whatever the interval. */
  RecycleRequested: z.object({}),
  /**
   * A turn has begun, with the post that it makes: from here on the post is owed, also when the rule is paused or deleted.
   * The post's id follows from rule and turn. The workspace is named again so that the post, which names it too, is no larger
   * than this: what can be begun can be queued.
   */
  RecycleStarted: z.object({ postId: text(100), workspaceId: z.string(), ...content }),
  /**
   * The AI has put the caption of a turn that has begun in other words, or the one that replaces it on `platform`. By an event of its own
   * for each, so that a turn is no larger for its prompts.
   */
  CaptionRewritten: z.object({ postId: text(100), platform: text(100).optional(), ...provenance }),
  /** A turn came to nothing. It is made at the next check. */
  RecycleFailed: z.object({ error: text(2000) }),
  /** The post is queued. `active`: whether there is a next turn. */
  Recycled: z.object({ postId: text(100), ...times, active: z.boolean() }),
}

export type RecyclingEvent = EventOf<typeof recyclingEvents>
/** Where one caption of a turn comes from. */
export type Rewriting = Omit<Extract<RecyclingEvent, { type: 'CaptionRewritten' }>['data'], 'postId'>
