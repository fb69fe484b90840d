import { queuePost } from '../../../commands/queue-post.ts'
import { load } from '../../../commands/handle.ts'
import { schedulePost } from '../../../commands/schedule-post.ts'
import { post, type Due, type PostContent, type PostState, type ScheduledPost } from '../../../domain/post/post.ts'
import { dueAtMoment } from '../../../domain/post/wall-time.ts'
import type { Surface } from '../../../infra/runtime/surfaces.ts'
import { decider } from '../../kit/decide.ts'
import type { Services } from '../../kit/services.ts'
import type { Caller, RouteRequest } from '../../http/route.ts'
import { atNextSlot, NEXT_SLOT } from '../slots/next-slot.ts'
import { withAltTexts } from './alt-texts.ts'
import { onceOnly } from './claim-content.ts'

type Request = RouteRequest<unknown, unknown, { readonly allowDuplicate?: boolean | undefined }>

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
    return isAllowed ? run() : onceOnly(services, made, run)
  }

  return {
    queue: async (request: Request, id: string, content: PostContent): Promise<void> => {
      const whole = await withAltTexts(services, content.workspaceId, content)
      const command = { ...whole, origin: 'api' } as const
      await make(request, { id, content: whole, at: clock.now() }, () =>
        decide(request, id, (state) => queuePost(state, command), { expectNew: true }),
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
      const at = async (due: Due) =>
        make(request, { id, content: whole, at: Date.parse(due.dueAt) }, () =>
          decide(request, id, (state) => schedulePost(state, whole, due, clock.now(), field)),
        )
      return scheduleAt(services, id, whole, due, at)
    },
  }
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

function surfaceOf({ session, via }: Caller): Surface {
  return session ? 'dashboard' : (via ?? 'api')
}
