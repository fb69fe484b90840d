import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerComment } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { paged, pageQuery } from './paging.ts'
import { decode } from './refusal.ts'
import { callerOf, mustBe, mustBeEncoded } from './request.ts'
import { mustHave } from './scopes.ts'
import { activityOf, actorOf, partsOf } from './thread.ts'

const KEPT_MS = 60 * 24 * 60 * 60_000
const ACTIONS = ['COMMENT', 'ADMIN_COMMENT', 'SHARE_MENTION'] as const

const list = z.string().regex(/^List\(\w+(?:,\w+)*\)$/)
const actionNames = z.array(z.enum(['LIKE', 'SHARE', ...ACTIONS]))
const query = z.strictObject({
  q: z.literal('criteria'),
  organizationalEntity: z.string(),
  actions: list.transform((text) => text.slice('List('.length, -1).split(',')).pipe(actionNames),
  timeRange: z.string().regex(/^\(start:\d+,end:\d+\)$/),
  ...pageQuery,
})

/** A page's notifications, newest first: comments under its posts, and posts that mention it. */
export function registerNotifications(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/rest/organizationalEntityNotifications', (request, reply) => {
    const caller = callerOf(request, deps)
    mustBeEncoded(request)
    mustHave(caller, ['rw_organization_admin'], 'organizationalEntityNotifications.FINDER-criteria.20260901')
    const { organizationalEntity: page, actions, timeRange, start, count } = decode(query, request.query)
    mustBe(caller, page, 'organizationalEntity', deps)
    const [from = 0, to = 0] = (timeRange.match(/\d+/g) ?? []).map(Number)
    const oldest = Math.max(from, deps.clock.now() - KEPT_MS)
    const found = deps.ledger
      .commentsOf('linkedin', page)
      .filter((each) => actions.includes(actionOf(each)) && isWithin(Date.parse(each.createdAt), oldest, to))
      .toReversed()
    const path = '/rest/organizationalEntityNotifications'
    return reply.send(paged(found, { start, count }, path, (each) => shown(each, page, deps)))
  })
}

function isWithin(time: number, from: number, to: number): boolean {
  return time >= from && time <= to
}

function actionOf({ id, writtenBy }: LedgerComment): (typeof ACTIONS)[number] {
  if (!partsOf(id)) return 'SHARE_MENTION'
  return writtenBy === 'account' ? 'ADMIN_COMMENT' : 'COMMENT'
}

function shown(comment: LedgerComment, page: string, { ledger }: StandInDeps): object {
  const { id, postId, text, createdAt } = comment
  const parts = partsOf(id)
  const sourcePost = parts?.activity ?? activityOf(id)
  const post = postId === undefined ? undefined : ledger.post('linkedin', postId)
  const content = { entity: id, owner: actorOf(comment), text }
  return {
    notificationId: Number(id.replaceAll(/\D/g, '').slice(-9)),
    organizationalEntity: page,
    action: actionOf(comment),
    sourcePost,
    ...(post && {
      decoratedSourcePost: { entity: post.id, owner: post.accountId, text: post.caption, mediaCategory: 'IMAGE' },
    }),
    // The short form of the comment's URN; the decoration has the long form.
    generatedActivity: parts ? id.replace('urn:li:activity:', 'activity:') : id,
    decoratedGeneratedActivity: parts ? { comment: { ...content, object: sourcePost } } : { share: content },
    lastModifiedAt: Date.parse(createdAt),
    subscriber: page,
  }
}
