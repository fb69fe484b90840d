import { queuePost } from '../../../commands/queue-post.ts'
import { load } from '../../../commands/handle.ts'
import { schedulePost } from '../../../commands/schedule-post.ts'
import { isOpenApproval } from '../../../domain/post/approval.ts'
import {
  isQueued,
  post,
  type Due,
  type PostContent,
  type PostState,
  type ScheduledPost,
} from '../../../domain/post/post.ts'
import { dueAtMoment } from '../../../domain/post/wall-time.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { Surface } from '../../../infra/runtime/surfaces.ts'
import { decider } from '../../kit/decide.ts'
import type { Services } from '../../kit/services.ts'
import { withinBudgets } from '../../kit/within-budgets.ts'
import { undoMsOf } from '../../kit/undo.ts'
import type { Caller, RouteRequest } from '../../http/route.ts'
import { accountsIn, asksApproval } from '../approvals/asks-approval.ts'
import { atNextSlot, NEXT_SLOT } from '../slots/next-slot.ts'
import { withAltTexts } from './alt-texts.ts'
import { onceOnly } from './claim-content.ts'

/** How a request makes a post (`makeFields`). */
export interface Making {
  readonly allowDuplicate?: boolean | undefined
  readonly requestApproval?: boolean | undefined
}
type Request = RouteRequest<unknown, unknown, Making>

/** A time, the next free slot, or the first of these times that is still free. */
export type When = Due | typeof NEXT_SLOT | (() => Promise<Iterator<Due>>)

/** Makes posts for requests. */
export function newPosts(services: Services) {
  const { clock } = services
  const decide = decider(services, post)

  const make = async (
    request: Request,
    made: { id: string; content: PostContent; at: number },
    run: () => Promise<PostState>,
  ) => {
    const isAllowed = request.body.allowDuplicate ?? !services.refuseDuplicates.includes(surfaceOf(request.caller))
    const uses = { posts: () => 1, usd: () => services.prices.ofPost(made.content) }
    return withinBudgets(services, request, made.id, uses, () => (isAllowed ? run() : onceOnly(services, made, run)))
  }

  const asksFor = async ({ body, caller }: Request, { selections }: PostContent) =>
    body.requestApproval === true || asksApproval(services, caller, accountsIn(selections))

  return {
    /** Publishes the post now, or once it can no longer be taken back; one that needs approval, as soon as it has it. */
    queue: async (request: Request, id: string, content: PostContent): Promise<Made> => {
      const whole = await withAltTexts(services, content.workspaceId, content)
      const asks = await asksFor(request, whole)
      const now = clock.now()
      const undoMs = asks ? 0 : await undoMsOf(services, request.caller)
      const due = dueAtMoment(isoTime(now + undoMs), 'UTC')
      const run = (state: PostState) =>
        asks || undoMs > 0
          ? schedulePost(state, whole, due, now, { asks: asks ? 'on_approval' : undefined })
          : queuePost(state, { ...whole, origin: 'api' })
      return madeOf(
        await make(request, { id, content: whole, at: now }, () => decide(request, id, run, { expectNew: true })),
      )
    },
    /** @param field that the time was given by, for the error @returns as `scheduleAt` */
    schedule: async (
      request: Request,
      id: string,
      content: PostContent,
      due: When,
      field?: string,
    ): Promise<ScheduledPost> => {
      const whole = await withAltTexts(services, content.workspaceId, content)
      const asks = (await asksFor(request, whole)) ? 'at_time' : undefined
      const at = async (due: Due) =>
        make(request, { id, content: whole, at: Date.parse(due.dueAt) }, () =>
          decide(request, id, (state) => schedulePost(state, whole, due, clock.now(), { asks, fields: field })),
        )
      return scheduleAt(services, id, whole, due, at)
    },
  }
}

/** What became of a request to publish a post. */
export interface Made {
  readonly queued: boolean
  readonly awaitsApproval?: true
  /** ISO 8601 UTC. */
  readonly undoUntil?: string
}

/** @returns as it is now: a repeat may find that it was approved since */
function madeOf(state: PostState): Made {
  if (isQueued(state) || state.status === 'absent') return { queued: true }
  return { queued: false, ...awaiting(state), ...undoable(state) }
}

/** Until when it can be taken back, if it is published then. */
export function undoable({ status, approval, due }: ScheduledPost): Pick<Made, 'undoUntil'> {
  const isOn = status === 'pending' && !(approval && isOpenApproval(approval))
  return isOn ? { undoUntil: due.dueAt } : {}
}

export function awaiting({ approval }: Pick<ScheduledPost, 'approval'>): Pick<Made, 'awaitsApproval'> {
  return approval && isOpenApproval(approval) ? { awaitsApproval: true } : {}
}

/**
 * Schedules a post at its time or at the next free slot; a repeat keeps its slot.
 *
 * @returns what was scheduled, also if it has been published since
 */
export async function scheduleAt(
  deps: Pick<Services, 'db' | 'log' | 'clock'>,
  id: string,
  content: PostContent,
  due: When,
  at: (due: Due) => Promise<PostState>,
): Promise<ScheduledPost> {
  if (typeof due === 'object') return asScheduled(await at(due), content)
  const before = await load(deps.log, post, id)
  const { workspaceId, selections } = content
  if (before.status !== 'absent') return asScheduled(before, content)
  const times = due === NEXT_SLOT ? undefined : await due()
  return asScheduled(await atNextSlot(deps, { workspaceId, id, selections }, at, times), content)
}

function asScheduled(state: PostState, content: PostContent): ScheduledPost {
  if (state.status === 'absent') throw new Error('the post was not scheduled')
  if ('due' in state) return state
  const { queuedAt: writtenAt, dueAt, pinned } = state
  return { status: 'pending', content, writtenAt, due: dueAtMoment(dueAt, 'UTC'), pinned }
}

function surfaceOf({ session, actor }: Caller): Surface {
  return session ? 'dashboard' : (actor.via ?? 'api')
}
