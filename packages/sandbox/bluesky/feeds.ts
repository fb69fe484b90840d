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
import { repliesTo } from './stored-record.ts'
import { strangerOf, strangersPosts } from './strangers.ts'

const MOST_URIS = 25

const posts = z.object({ uris: listOf(atUri).refine((uris) => uris.length <= MOST_URIS, `at most ${MOST_URIS}`) })
const feed = z.object({
  actor: atIdentifier,
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
  filter: z.enum(['posts_with_replies', 'posts_no_replies', 'posts_with_media']).default('posts_with_replies'),
})

/** `getPosts` of posts, replies and comments; `getAuthorFeed` of accounts here and of strangers, who write no replies. */
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
    const views = postsOf(actor, deps)
    if (!views) throw invalid('Profile not found')
    const rows = views
      .filter(SHOWS[filter])
      .map((post) => ({ key: { ms: Date.parse(post.indexedAt), uri: post.uri }, post }))
    const { page, ...rest } = pageOf(rows, limit, cursor)
    return answerXrpc(reply, 'metrics', caller, sessions, deps, () => {
      return { feed: page.map(({ post }) => ({ post, ...answering(post, deps) })), ...rest }
    })
  })
}

const SHOWS: Readonly<Record<z.infer<typeof feed>['filter'], (post: PostView) => boolean>> = {
  posts_with_replies: () => true,
  posts_no_replies: ({ record }) => !repliesTo(record),
  posts_with_media: ({ record }) => record['embed'] !== undefined,
}

function answering({ record }: PostView, deps: StandInDeps): object {
  const above = repliesTo(record)
  const view = (uri: string): object => {
    const post = postView(uri, deps)
    return post
      ? { $type: 'app.bsky.feed.defs#postView', ...post }
      : { $type: 'app.bsky.feed.defs#notFoundPost', uri, notFound: true }
  }
  return above ? { reply: { root: view(above.root), parent: view(above.parent) } } : {}
}

function postsOf(actor: string, deps: StandInDeps): readonly PostView[] | undefined {
  const account = accountOf(actor, deps)
  if (account) {
    const { externalId: accountId } = account
    const replies = deps.ledger.commentsOf('bluesky', accountId).filter(({ writtenBy }) => writtenBy === 'account')
    const own = [...deps.ledger.posts('bluesky', { accountId }), ...replies]
    return own.flatMap(({ id }) => postView(id, deps) ?? [])
  }
  const person = strangerOf(actor)
  return person && strangersPosts(person, deps)
}
