import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { answerXrpc } from './answer.ts'
import { accountOf, atIdentifier } from './identity.ts'
import { pageOf } from './page.ts'
import { postView, type PostView } from './post-view.ts'
import { atUri } from './record-schema.ts'
import { decode, invalid } from './refusal.ts'
import { listOf } from './repeated.ts'
import type { Sessions } from './sessions.ts'
import { strangerOf, strangersPosts } from './strangers.ts'

const MOST_URIS = 25

const posts = z.object({ uris: listOf(atUri).refine((uris) => uris.length <= MOST_URIS, `at most ${MOST_URIS}`) })
const feed = z.object({
  actor: atIdentifier,
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
  filter: z.string().default('posts_with_replies'),
})

/** `getPosts` of posts, replies and comments; `getAuthorFeed` without replies, of accounts here and of strangers. */
export function registerFeeds(app: FastifyInstance, sessions: Sessions, deps: StandInDeps): void {
  app.get('/xrpc/app.bsky.feed.getPosts', (request, reply) => {
    const caller = sessions.authenticate(request.headers.authorization, 'access')
    const { uris } = decode(posts, request.query)
    return answerXrpc(reply, 'metrics', caller, sessions, deps, () => {
      return { posts: [...new Set(uris)].flatMap((uri) => postView(uri, deps) ?? []) }
    })
  })

  app.get('/xrpc/app.bsky.feed.getAuthorFeed', (request, reply) => {
    const caller = sessions.authenticate(request.headers.authorization, 'access')
    const { actor, limit, cursor, filter } = decode(feed, request.query)
    if (filter !== 'posts_no_replies')
      throw invalid('The sandbox only shows feeds without replies: use filter=posts_no_replies')
    const views = postsOf(actor, deps)
    if (!views) throw invalid('Profile not found')
    const rows = views.map((post) => ({ key: { ms: Date.parse(post.indexedAt), uri: post.uri }, post }))
    const { page, ...rest } = pageOf(rows, limit, cursor)
    return answerXrpc(reply, 'metrics', caller, sessions, deps, () => {
      return { feed: page.map(({ post }) => ({ post })), ...rest }
    })
  })
}

function postsOf(actor: string, deps: StandInDeps): readonly PostView[] | undefined {
  const account = accountOf(actor, deps)
  if (account) {
    const own = deps.ledger.posts('bluesky', { accountId: account.externalId })
    return own.flatMap(({ id }) => postView(id, deps) ?? [])
  }
  const person = strangerOf(actor)
  return person && strangersPosts(person, deps)
}
