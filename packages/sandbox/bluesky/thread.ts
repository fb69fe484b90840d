import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { postView } from './post-view.ts'
import { atUri } from './record-schema.ts'
import { decode, invalid, xrpcRefusal } from './refusal.ts'
import type { Sessions } from './sessions.ts'

const levels = (usual: number) => z.coerce.number().int().min(0).max(1000).default(usual)
const query = z.object({ uri: atUri, depth: levels(6), parentHeight: levels(80) })

/** `getPostThread` of a single post or comment, without parents or replies. */
export function registerThread(app: FastifyInstance, sessions: Sessions, deps: StandInDeps): void {
  app.get('/xrpc/app.bsky.feed.getPostThread', (request, reply) => {
    sessions.authenticate(request.headers.authorization, 'access')
    const { uri, depth, parentHeight } = decode(query, request.query)
    if (depth + parentHeight > 0) throw invalid('The sandbox only shows single posts: use depth=0 and parentHeight=0')
    const post = postView(uri, deps)
    if (!post) throw xrpcRefusal(400, 'NotFound', `Post not found: ${uri}`)
    return reply.send({ thread: { $type: 'app.bsky.feed.defs#threadViewPost', post } })
  })
}
