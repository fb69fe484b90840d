import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import { text } from '../../domain/core/text.ts'
import type { SmallImage } from '../../domain/media/small-image.ts'
import { check } from '../http/validation.ts'
import { sentImage } from '../http/sent-image.ts'

const query = z.strictObject({
  url: text(2000),
  platform: z.enum(PLATFORM_KEYS).optional(),
  options: text(4000).transform(parsed).pipe(z.record(z.string(), z.unknown())).optional(),
})

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** `GET /image`: a small copy of an image that a browser cannot show, or as it is sent to a platform. */
export function imageRoute(app: FastifyInstance, smallImage: SmallImage): void {
  app.get('/image', { config: { route: { scope: 'dashboard' } } }, async (request, reply) => {
    if (!request.caller) throw new Error('a route ran without a caller')
    const asked = check(query, request.query, 'the query')
    const { workspaceId } = request.caller
    return sentImage(reply, await smallImage({ ...asked, workspaceId }), 'private, max-age=3600')
  })
}
