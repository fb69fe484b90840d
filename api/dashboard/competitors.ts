import * as z from 'zod'
import { competitor, LONGEST_HANDLE } from '../../domain/analytics/competitor.ts'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { text } from '../../domain/core/text.ts'
import { removeCompetitor } from '../../commands/competitor.ts'
import { findCompetitor } from '../../projections/models/competitors.ts'
import { causeOf } from '../http/cause.ts'
import { decider } from '../kit/decide.ts'
import { owned } from '../kit/owned.ts'
import { route, type AnyRoute } from '../http/route.ts'
import type { DashboardServices } from './services.ts'

const TAG = 'Analytics'

const foundSchema = z.object({ id: z.string(), platform: z.enum(PLATFORM_KEYS), handle: z.string(), label: z.string() })

/** Tracking competitors, which uses the access of an account, and is otherwise available only on the command line. */
export function competitorAdminRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db, competitors } = services
  const decide = decider(services, competitor)
  const known = competitors.platforms
  const newCompetitor = z.object({
    platform: z.enum(known, { error: `must be one of ${known.join(', ')}` }),
    handle: text(LONGEST_HANDLE).min(1, { error: 'must not be empty' }),
  })

  return [
    route({
      method: 'POST',
      path: '/competitors',
      operationId: 'addCompetitor',
      summary: 'Find an account on its platform and track it',
      description: 'Adding one again changes nothing.',
      reachesOut: true,
      mayConflict: true,
      tag: TAG,
      scope: 'accounts:write',
      body: newCompetitor,
      answer: { status: 201, description: 'It is tracked from now on.', schema: foundSchema },
      handle: async (request) => {
        const { workspaceId } = request.caller
        const found = await competitors.track({ workspaceId, ...request.body }, causeOf(request, workspaceId))
        return { status: 201, body: { ...found } }
      },
    }),

    route({
      method: 'DELETE',
      path: '/competitors/{id}',
      operationId: 'removeCompetitor',
      summary: 'Stop tracking a competitor, and erase its figures',
      tag: TAG,
      scope: 'accounts:write',
      params: z.object({ id: text(100) }),
      answer: { status: 204, description: 'It is not tracked any more.' },
      handle: async (request) => {
        const { id } = request.params
        owned(await findCompetitor(db, id), request.caller, 'competitor')
        await decide(request, id, removeCompetitor)
        return { status: 204 }
      },
    }),
  ]
}
