import * as z from 'zod'
import { findVoice } from '../../../projections/models/workspaces.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

const voiceSchema = z.object({ text: z.string() })

/** People set it, in the dashboard: what an agent reads should not change how all others write. */
export function voiceRoutes({ db }: Services): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/voice',
      operationId: 'getVoice',
      summary: 'Get how texts of the workspace are to be written',
      description: 'The brand voice, which users set in the dashboard. AI drafts of replies and captions follow it.',
      tag: 'Posts',
      scope: 'posts:read',
      answer: { status: 200, description: 'In the words of its users. Empty: none is set.', schema: voiceSchema },
      handle: async ({ caller }) => ({ status: 200, body: { text: await findVoice(db, caller.workspaceId) } }),
    }),
  ]
}
