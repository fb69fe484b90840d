import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { postView } from './post-view.ts'
import { atUri } from './record-schema.ts'
import { decode, xrpcRefusal } from './refusal.ts'
import type { Sessions } from './sessions.ts'
import { repliesTo, storedIn } from './stored-record.ts'

const levels = (usual: number) => z.coerce.number().int().min(0).max(1000).default(usual)
const query = z.object({ uri: atUri, depth: levels(6), parentHeight: levels(80) })

/** `getPostThread` of a post or comment. */
export function registerThread(app: FastifyInstance, sessions: Sessions, deps: StandInDeps): void {
  app.get('/xrpc/app.bsky.feed.getPostThread', (request, reply) => {
    sessions.authenticate(request.headers.authorization, 'access')
    const { uri, depth, parentHeight } = decode(query, request.query)
    const thread = threadOf(uri, depth, parentHeight, deps)
    if (!thread) throw xrpcRefusal(400, 'NotFound', `Post not found: ${uri}`)
    return reply.send({ thread })
  })
}

function threadOf(uri: string, depth: number, parentHeight: number, deps: StandInDeps): object | undefined {
  const post = postView(uri, deps)
  const parent = post && repliesTo(post.record)?.parent
  return (
    post && {
      $type: 'app.bsky.feed.defs#threadViewPost',
      post,
      ...(parent !== undefined &&
        parentHeight > 0 && { parent: threadOf(parent, 0, parentHeight - 1, deps) ?? notFound(parent) }),
      ...(depth > 0 && { replies: answersTo(uri, deps).map((each) => threadOf(each, depth - 1, 0, deps)) }),
    }
  )
}

function notFound(uri: string): object {
  return { $type: 'app.bsky.feed.defs#notFoundPost', uri, notFound: true }
}

function answersTo(uri: string, { ledger }: StandInDeps): readonly string[] {
  const { accountId = '' } = ledger.comment('bluesky', uri) ?? ledger.post('bluesky', uri) ?? {}
  return ledger.commentsOf('bluesky', accountId).flatMap((comment) => {
    const stored = storedIn(comment)
    return stored && repliesTo(stored.value)?.parent === uri ? [stored.uri] : []
  })
}
