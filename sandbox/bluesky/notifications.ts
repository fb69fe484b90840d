import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { LedgerComment } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { fanView } from './people.ts'
import { decode, invalid } from './refusal.ts'
import type { Sessions } from './sessions.ts'
import { storedIn, type StoredRecord } from './stored-record.ts'

const query = z.object({
  reasons: z.union([z.string().transform((reason) => [reason]), z.array(z.string())]).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
})

/** `listNotifications`: what fans wrote to the account, the newest first. */
export function registerNotifications(app: FastifyInstance, sessions: Sessions, { ledger }: StandInDeps): void {
  app.get('/xrpc/app.bsky.notification.listNotifications', (request, reply) => {
    const { account } = sessions.authenticate(request.headers.authorization, 'access')
    const { reasons, limit, cursor } = decode(query, request.query)
    const rest = ledger
      .commentsOf('bluesky', account.externalId)
      .filter(({ writtenBy }) => writtenBy === 'fan')
      .flatMap((comment) => {
        const stored = storedIn(comment)
        const key = { ms: Date.parse(comment.createdAt), uri: comment.id }
        return stored ? [{ key, notification: shown(comment, stored) }] : []
      })
      .filter(({ notification: { reason } }) => reasons === undefined || reasons.includes(reason))
      .sort((one, other) => later(one.key, other.key))
      .filter(after(cursor))
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    return reply.send({
      notifications: page.map(({ notification }) => notification),
      ...(last && rest.length > limit && { cursor: `${last.key.ms}::${last.key.uri}` }),
    })
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

/** Where a notification stands in the list. */
interface Key {
  readonly ms: number
  readonly uri: string
}

function later(one: Key, other: Key): number {
  return other.ms - one.ms || (one.uri < other.uri ? 1 : -1)
}

function after(cursor: string | undefined): (row: { readonly key: Key }) => boolean {
  if (cursor === undefined) return () => true
  const [, ms, uri] = /^(\d{1,15})::(at:.+)$/.exec(cursor) ?? []
  if (ms === undefined || uri === undefined) throw invalid('Malformed cursor')
  const from = { ms: Number(ms), uri }
  return ({ key }) => key.uri !== uri && later(key, from) > 0
}
