import * as z from 'zod'
import { setVoice } from '../../commands/set-voice.ts'
import { voice } from '../../domain/workspace/voice.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import { route, type AnyRoute } from '../http/route.ts'
import { decider } from '../kit/decide.ts'
import type { DashboardServices } from './services.ts'

const voiceSchema = z.object({ text: voice })

/** It is read at `GET /v1/voice`. */
export function voiceRoutes(services: DashboardServices): readonly AnyRoute[] {
  const decide = decider(services, workspace)
  return [
    route({
      method: 'PUT',
      path: '/voice',
      operationId: 'setVoice',
      summary: 'Set how texts of the workspace are to be written',
      tag: 'Team',
      scope: 'users:write',
      body: voiceSchema,
      answer: { status: 200, description: 'Drafts that are written from now on follow it.', schema: voiceSchema },
      handle: async (request) => {
        const { body, caller } = request
        await decide(request, caller.workspaceId, (state) => setVoice(state, body.text))
        return { status: 200, body }
      },
    }),
  ]
}
