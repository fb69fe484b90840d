import * as z from 'zod'
import { Refusal } from '../../domain/core/errors.ts'
import { text } from '../../domain/core/text.ts'
import { route, type AnyRoute } from '../http/route.ts'
import type { DashboardServices } from './services.ts'
import { sessionOf } from './session.ts'

const TAG = 'Session'

const listedSchema = z.object({
  id: z.string(),
  browser: z.string().nullable().describe('Its name and system, such as `Firefox on Linux`.'),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable().describe('The last use, to the hour.'),
  expiresAt: z.iso.datetime().describe('When it ends unless it is used before.'),
  current: z.boolean().describe('Whether it is the session of this request.'),
})

/** The sessions of the caller, in all browsers. Of others, nobody sees any. */
export function ownSessionRoutes({ sessions, cookie }: DashboardServices): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/sessions',
      operationId: 'listSessions',
      summary: 'List your sessions',
      tag: TAG,
      scope: 'dashboard',
      answer: {
        status: 200,
        description: 'The last used first.',
        schema: z.object({ sessions: z.array(listedSchema) }),
      },
      handle: async ({ caller }) => {
        const { user, tokenHash: own } = sessionOf(caller)
        const listed = (await sessions.list(user.id)).map(({ tokenHash, ...session }) => ({
          ...session,
          current: tokenHash === own,
        }))
        return { status: 200, body: { sessions: listed } }
      },
    }),

    route({
      method: 'DELETE',
      path: '/sessions',
      operationId: 'endOtherSessions',
      summary: 'Sign out everywhere else',
      tag: TAG,
      scope: 'dashboard',
      answer: { status: 204, description: 'All other sessions have ended.' },
      handle: async ({ caller }) => {
        const { user, tokenHash } = sessionOf(caller)
        await sessions.endAll(user.id, tokenHash)
        return { status: 204 }
      },
    }),

    route({
      method: 'DELETE',
      path: '/sessions/{id}',
      operationId: 'endOneSession',
      summary: 'End one of your sessions',
      tag: TAG,
      scope: 'dashboard',
      params: z.object({ id: text(100) }),
      answer: { status: 204, description: 'The session has ended.' },
      handle: async ({ params, caller }) => {
        const { user, tokenHash: own } = sessionOf(caller)
        const ended = (await sessions.list(user.id)).find(({ id }) => id === params.id)
        if (!ended) throw new Refusal('not_found', 'No such session.')
        await sessions.end(ended.tokenHash)
        return { status: 204, ...(ended.tokenHash === own && { headers: { 'set-cookie': cookie.clear() } }) }
      },
    }),
  ]
}
