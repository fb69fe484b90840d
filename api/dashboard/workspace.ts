import * as z from 'zod'
import { renameWorkspace } from '../../commands/create-workspace.ts'
import { setTimeZone } from '../../commands/set-slots.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { text } from '../../domain/core/text.ts'
import { isTimeZone } from '../../domain/post/wall-time.ts'
import { workspace, workspaceName } from '../../domain/workspace/workspace.ts'
import { findWorkspaces } from '../../projections/models/workspaces.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { decider } from '../kit/decide.ts'
import { mustGetName } from '../kit/workspace-name.ts'
import type { DashboardServices } from './services.ts'

const TAG = 'Team'

const workspaceSchema = z.object({
  id: z.string(),
  name: z.string(),
  timezone: z.string().nullable().describe('That of the slots. Null until it or slots are set.'),
  createdAt: z.iso.datetime(),
})

const changesBody = z
  .object({
    name: workspaceName.optional(),
    timezone: text(100).refine(isTimeZone, { error: 'must be an IANA name such as Europe/Berlin' }).optional(),
  })
  .refine(({ name, timezone }) => name !== undefined || timezone !== undefined, {
    error: 'needs a name, a timezone or both',
  })

/** The workspace itself. Only people change it. */
export function workspaceRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db, mediaRoom, signOn } = services
  const decide = decider(services, workspace)
  const find = async (id: string) => {
    const row = (await findWorkspaces(db, id)).find((one) => one.id === id)
    if (!row) throw new Refusal('not_found', 'No such workspace.')
    return row
  }
  const present = async (workspaceId: string) => {
    const { id, name, slots, createdAt } = await find(workspaceId)
    return { id, name, timezone: slots?.timezone ?? null, createdAt }
  }

  return [
    route({
      method: 'GET',
      path: '/workspace',
      operationId: 'getWorkspace',
      summary: 'Get the workspace',
      tag: TAG,
      scope: 'users:read',
      answer: { status: 200, description: 'The workspace.', schema: workspaceSchema },
      handle: async ({ caller }) => ({ status: 200, body: await present(caller.workspaceId) }),
    }),

    route({
      method: 'PATCH',
      path: '/workspace',
      operationId: 'changeWorkspace',
      summary: 'Rename the workspace, or set its time zone',
      description: 'Slots keep their times of the day. Posts that are already scheduled keep their times.',
      tag: TAG,
      scope: 'users:write',
      body: changesBody,
      answer: { status: 200, description: 'The workspace.', schema: workspaceSchema },
      handle: async (request) => {
        const { name, timezone } = request.body
        const { workspaceId } = request.caller
        if (name !== undefined) await mustGetName(db, await find(workspaceId), name, signOn?.workspace)
        await decide(request, workspaceId, (state) => [
          ...(name === undefined ? [] : renameWorkspace(state, name)),
          ...(timezone === undefined ? [] : setTimeZone(state, timezone)),
        ])
        return { status: 200, body: await present(workspaceId) }
      },
    }),

    route({
      method: 'GET',
      path: '/storage',
      operationId: 'getStorage',
      summary: 'Get what the media of the workspace take up',
      tag: TAG,
      scope: 'posts:read',
      answer: {
        status: 200,
        description: 'maxBytes is MEDIA_STORE_MAX.',
        schema: z.object({ files: z.int(), bytes: z.int(), maxBytes: z.int() }),
      },
      handle: async ({ caller }) => ({ status: 200, body: await mediaRoom.used(caller.workspaceId) }),
    }),
  ]
}
