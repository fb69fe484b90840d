import { queuePost } from '../../../commands/queue-post.ts'
import { schedulePost } from '../../../commands/schedule-post.ts'
import { post, type Due, type PostContent, type PostState } from '../../../domain/post/post.ts'
import type { Surface } from '../../../infra/runtime/surfaces.ts'
import { decider } from '../../kit/decide.ts'
import type { Services } from '../../kit/services.ts'
import type { Caller, RouteRequest } from '../../http/route.ts'
import { onceOnly } from './claim-content.ts'

type Request = RouteRequest<unknown, unknown, { readonly allowDuplicate?: boolean | undefined }>

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
      const command = { ...content, origin: 'api' } as const
      await make(request, { id, content, at: clock.now() }, () =>
        decide(request, id, (state) => queuePost(state, command), { expectNew: true }),
      )
    },
    /** @param field that the time was given by, for the error */
    schedule: async (
      request: Request,
      id: string,
      content: PostContent,
      due: Due,
      field?: string,
    ): Promise<PostState> =>
      make(request, { id, content, at: Date.parse(due.dueAt) }, () =>
        decide(request, id, (state) => schedulePost(state, content, due, clock.now(), field)),
      ),
  }
}

function surfaceOf({ session, via }: Caller): Surface {
  return session ? 'dashboard' : (via ?? 'api')
}
