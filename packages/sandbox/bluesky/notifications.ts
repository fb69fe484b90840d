import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { LedgerComment } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { pageOf } from './page.ts'
import { fanView } from './people.ts'
import { decode } from './refusal.ts'
import { listOf } from './repeated.ts'
import type { Sessions } from './sessions.ts'
import { storedIn, type StoredRecord } from './stored-record.ts'

const query = z.object({
  reasons: listOf(z.string()).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
})

/** `listNotifications`: what fans wrote to the account, newest first. */
export function registerNotifications(app: FastifyInstance, sessions: Sessions, { ledger }: StandInDeps): void {
  app.get('/xrpc/app.bsky.notification.listNotifications', (request, reply) => {
    const { account } = sessions.authenticate(request.headers.authorization, 'access')
    const { reasons, limit, cursor } = decode(query, request.query)
    const rows = ledger
      .commentsOf('bluesky', account.externalId)
      .filter(({ writtenBy }) => writtenBy === 'fan')
      .flatMap((comment) => {
        const stored = storedIn(comment)
        const key = { ms: Date.parse(comment.createdAt), uri: comment.id }
        return stored ? [{ key, notification: shown(comment, stored) }] : []
      })
      .filter(({ notification: { reason } }) => reasons === undefined || reasons.includes(reason))
    const { page, ...rest } = pageOf(rows, limit, cursor)
    return reply.send({ notifications: page.map(({ notification }) => notification), ...rest })
  })
}

function shown({ postId, author, createdAt }: LedgerComment, { uri, cid, value }: StoredRecord) {
  return {
    uri,
    cid,
    author: fanView(uri, author),
    reason: postId === undefined ? 'mention' : 'reply',
    ...(postId !== undefined && { reasonSubject: postId }),
    record: value,
    isRead: false,
    indexedAt: createdAt,
    labels: [],
  }
}
