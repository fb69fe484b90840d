import * as z from 'zod'
import { setUndo } from '../../commands/set-undo.ts'
import { undoSeconds } from '../../domain/workspace/undo.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import { findUndoSeconds } from '../../projections/models/workspaces.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { decider } from '../kit/decide.ts'
import type { DashboardServices } from './services.ts'

const undoSchema = z.object({ seconds: undoSeconds })

/** Only people set it: no API key can shorten what its posts are held to. */
export function undoRoutes(services: DashboardServices): readonly AnyRoute[] {
  const decide = decider(services, workspace)
  return [
    route({
      method: 'GET',
      path: '/undo',
      operationId: 'getUndo',
      summary: 'Get how long posts can be taken back before they are published',
      tag: 'Team',
      scope: 'posts:read',
      answer: { status: 200, description: 'In seconds; 0: they are published at once.', schema: undoSchema },
      handle: async ({ caller }) => ({
        status: 200,
        body: { seconds: await findUndoSeconds(services.db, caller.workspaceId) },
      }),
    }),

    route({
      method: 'PUT',
      path: '/undo',
      operationId: 'setUndo',
      summary: 'Set how long posts can be taken back before they are published',
      tag: 'Team',
      scope: 'users:write',
      body: undoSchema,
      answer: { status: 200, description: 'What waits already stays as it is.', schema: undoSchema },
      handle: async (request) => {
        const { body, caller } = request
        await decide(request, caller.workspaceId, (state) => setUndo(state, body.seconds))
        return { status: 200, body }
      },
    }),
  ]
}
